"""Module resolvers: where `import` looks for a module.

    StaticResolver    texts or modules by name          DummyResolver    nowhere
    FileResolver      files below one directory         ResolverChain    one resolver after the other

The one for files is in `file_resolver`.

An engine has no resolver until the host gives it one: every `import` fails. A resolver may be used by several threads, and by
several engines of the same functions. A module that is still being loaded is not found: cycles end with ModuleNotFound.
"""

from collections.abc import Callable, Iterator, Mapping

from rhaipy.errors import InModule, RhaiError
from rhaipy.modules import Module
from rhaipy.source import NONE
from rhaipy.typings import Protocol, TypeAlias, runtime_checkable


class Importer(Protocol):
    """What a resolver is asked by: the run that imports."""

    source: str
    """The module that imports, empty for the program."""

    def is_loading(self, key: str) -> bool:
        """Is the module with this key being loaded around this import?"""

    def load(self, text: str, name: str, key: str) -> Module:
        """The module that a script makes, run where the import stands: it sees the variables there, and its operations count.

        `name` is its source in errors. Raises RhaiError.
        """

    def evaluate(self, text: str, name: str, key: str) -> Module:
        """The module that a script makes, run by itself: with no variables around it, and limits of its own."""


@runtime_checkable
class ModuleResolver(Protocol):
    """Finds modules by their paths."""

    def resolve(self, importer: Importer, path: str) -> Module | None:
        """The module; None if this resolver knows of none. Raises InModule if it is there and fails."""


def in_module(name: str, text: str, work: Callable[[], Module]) -> Module:
    """What `work` gives; what goes wrong is about the module `name`, whose source is `text`. Raises InModule."""
    try:
        return work()
    except RhaiError as error:
        raise InModule(NONE, name, error.in_script(name, text)) from None


class DummyResolver:
    """Finds nothing."""

    def resolve(self, importer: Importer, path: str) -> Module | None:
        """None."""
        return None


class StaticResolver:
    """Modules by name. A text becomes a module when it is first imported; it is run by itself, with limits of its own."""

    def __init__(self, modules: Mapping[str, str | Module] | Mapping[str, str] | None = None) -> None:
        self._texts: dict[str, str] = {}
        self._modules: dict[str, Module] = {}
        for name, module in (modules or {}).items():
            self.insert(name, module)

    def insert(self, name: str, module: str | Module) -> "StaticResolver":
        """Add a module, or put another in its place."""
        self.remove(name)
        if isinstance(module, Module):
            self._modules[name] = module
        elif type(module) is str:
            self._texts[name] = module
        else:
            raise TypeError(f"the module {name!r} is a text or a Module, not {module!r}")
        return self

    def remove(self, name: str) -> None:
        """Take a module out, if it is there."""
        self._texts.pop(name, None)
        self._modules.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._texts or name in self._modules

    def __iter__(self) -> Iterator[str]:
        """The names, sorted."""
        return iter(sorted(self._texts.keys() | self._modules.keys()))

    def __len__(self) -> int:
        return len(self._texts.keys() | self._modules.keys())

    def resolve(self, importer: Importer, path: str) -> Module | None:
        """The module called `path`."""
        text = self._texts.get(path)
        if path in self._modules or text is None:
            return self._modules.get(path)
        if importer.is_loading(path):
            return None
        module = in_module(path, text, lambda: importer.evaluate(text, path, path))
        return self._modules.setdefault(path, module)


class ResolverChain:
    """Asks resolvers one after the other; the first module that is found counts."""

    def __init__(self, *resolvers: ModuleResolver) -> None:
        self.resolvers = list(resolvers)

    def push(self, resolver: ModuleResolver) -> "ResolverChain":
        """Ask `resolver` too, after all others."""
        self.resolvers.append(resolver)
        return self

    def resolve(self, importer: Importer, path: str) -> Module | None:
        """The first module called `path`."""
        for resolver in self.resolvers:
            module = resolver.resolve(importer, path)
            if module is not None:
                return module
        return None


class CallableResolver:
    """Asks a function of the path, which returns a Module or None."""

    def __init__(self, find: Callable[[str], Module | None]) -> None:
        self._find = find

    def resolve(self, importer: Importer, path: str) -> Module | None:
        """What the function gives."""
        return self._find(path)


Modules: TypeAlias = ModuleResolver | Mapping[str, str | Module] | Mapping[str, str] | Callable[[str], Module | None]
"""A resolver, or what one is made of: modules by name, or a function of the path."""


def as_resolver(
    modules: Modules | None,
) -> ModuleResolver | None:
    """The resolver that is meant: one, or modules by name, or a function of the path."""
    if modules is None or isinstance(modules, ModuleResolver):
        return modules
    return StaticResolver(modules) if isinstance(modules, Mapping) else CallableResolver(modules)
