"""Does an environment variable look like a credential? By its name, or by a value of a form that only credentials have.

It is a guess that errs towards yes: a variable that is refused can be allowed by its name, one that is given away cannot be taken
back.
"""

import re
from typing import Final

PARTS: Final = (
    "KEY", "TOKEN", "SECRET", "PASS", "PWD", "CREDENTIAL", "AUTH", "PRIVATE", "COOKIE", "SESSION", "SIGNATURE", "CERT", "DSN",
    "DATABASE_URL", "CONNECTION", "BEARER", "WEBHOOK", "MNEMONIC",
)  # fmt: skip
"""What stands anywhere in the names of variables that hold what must stay secret."""
WORDS: Final = frozenset({"PAT", "JWT", "PIN", "OTP", "SAS", "SALT"})
"""The same, where it is a word of the name by itself."""
FORMS: Final = re.compile(
    r"-----BEGIN|(?:sk|pk|rk)[-_]|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|A[KS]IA[0-9A-Z]{12}|AIza|eyJ[\w-]{8}|hf_|npm_|pypi-"
    r"|dop_v1_|SG\."
)
"""How the keys and tokens of well-known services begin."""


def looks_like_one(name: str, value: str | None) -> bool:
    """Is the variable `name` likely to hold a credential? `value` is what it holds, None where there is none."""
    upper = name.upper()
    if any(part in upper for part in PARTS) or not WORDS.isdisjoint(re.split(r"[^A-Z0-9]+", upper)):
        return True
    return value is not None and (("://" in value and "@" in value) or FORMS.match(value.strip()) is not None)
