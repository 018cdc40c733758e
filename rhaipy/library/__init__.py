"""The functions every engine starts with: Rhai's standard packages, a file for each type of value.

`STANDARD` is shared by all engines and never changed; an engine that registers functions works on a copy.
"""

from rhaipy.functions import FunctionTable
from rhaipy.library.array_callbacks import ARRAY_CALLBACKS
from rhaipy.library.arrays import ARRAYS
from rhaipy.library.bit_fields import BIT_FIELDS
from rhaipy.library.blob_numbers import BLOB_NUMBERS
from rhaipy.library.blobs import BLOBS
from rhaipy.library.bytes import BYTES
from rhaipy.library.core import CORE
from rhaipy.library.iteration import ITERATION
from rhaipy.library.maps import MAPS
from rhaipy.library.mathematics import MATHEMATICS
from rhaipy.library.numbers import NUMBERS
from rhaipy.library.pointers import POINTERS
from rhaipy.library.splitting import SPLITTING
from rhaipy.library.strings import STRINGS
from rhaipy.library.texts import TEXTS
from rhaipy.library.time import TIME
from rhaipy.typings import Final

STANDARD: Final = FunctionTable(
    [
        *CORE,
        *NUMBERS,
        *TEXTS,
        *STRINGS,
        *SPLITTING,
        *ARRAYS,
        *ARRAY_CALLBACKS,
        *MAPS,
        *POINTERS,
        *ITERATION,
        *MATHEMATICS,
        *BLOBS,
        *BLOB_NUMBERS,
        *BIT_FIELDS,
        *BYTES,
        *TIME,
    ]
)
"""All functions of the standard packages."""
