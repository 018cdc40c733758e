"""The module resolver for files; a module of its own, since most engines read none."""

from pathlib import Path

from rhaipy.modules import Module
from rhaipy.resolvers import Importer, in_module
from rhaipy.typings import Final

EXTENSION: Final = "rhai"


class FileResolver:
    """Modules in files below `base_path`: `import "lib/text"` reads `lib/text.rhai` there.

    The extension is always `extension`, whatever the path says. Nothing outside of the directory is found, by absolute paths,
    through `..` or through links. What cannot be read, or is not UTF-8, is not found. A module is loaded where it is first
    imported: it sees the variables there, as in the engine, and its operations count. With `cache` it is loaded once.
    """

    def __init__(self, base_path: str | Path, extension: str = EXTENSION, cache: bool = True) -> None:
        self.base_path = Path(base_path).resolve()
        self.extension = extension
        self.cache = cache
        self._modules: dict[Path, Module] = {}

    def file_of(self, path: str) -> Path | None:
        """The file that `path` means; None if there is none below the base path."""
        try:
            file = (self.base_path / path).with_suffix(f".{self.extension}").resolve()
            inside = file.is_relative_to(self.base_path) and file.is_file()
        except (ValueError, OSError, RuntimeError):
            return None
        return file if inside and not Path(path).is_absolute() else None

    def is_cached(self, path: str) -> bool:
        """Is the module kept?"""
        return self.file_of(path) in self._modules

    def clear_cache(self) -> None:
        """Forget all modules: each is read again when it is imported next."""
        self._modules.clear()

    def resolve(self, importer: Importer, path: str) -> Module | None:
        """The module in the file that `path` means."""
        file = self.file_of(path)
        if file is None or importer.is_loading(str(file)):
            return None
        if self.cache and file in self._modules:
            return self._modules[file]
        text = read_script(file)
        if text is None:
            return None
        module = in_module(path, text, lambda: importer.load(text, path, str(file)))
        if self.cache:
            self._modules[file] = module
        return module


def read_script(file: Path) -> str | None:
    """The script in `file`, without the first line if that names an interpreter (`#!`); None if it cannot be read."""
    try:
        text = file.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None
    return text[len(text.partition("\n")[0]) :] if text.startswith("#!") else text
