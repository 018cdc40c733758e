"""The compiled tier: the same tree as the reference evaluator's, turned into Python code objects."""

from rhaipy.compiler.profile import Profile, profile_of
from rhaipy.compiler.script import Compiled, compile_script

__all__ = ["Compiled", "Profile", "compile_script", "profile_of"]
