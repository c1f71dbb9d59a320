"""Languages of the console, switchable while it runs; numbers and units by locale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.data import data_path
from app.errors import fill

LANGUAGES: Final = ("en", "zh_CN")

Values = Mapping[str, object] | Iterable[tuple[str, object]]


class _State:
    """The language in force; one per process, as there is one QCoreApplication."""

    language = "en"
    translators: tuple[QTranslator, ...] = ()


def language() -> str:
    """Code of the language in force."""
    return _State.language


def system_language() -> str:
    """The language that suits the system's locale."""
    return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def set_language(code: str) -> str:
    """Put a language in force; every widget gets a LanguageChange event.

    Arguments:
        code: ``auto``, ``en`` or ``zh_CN``.

    Returns:
        the code of the language chosen.
    """
    chosen = code if code in LANGUAGES else system_language()
    app = QCoreApplication.instance()
    for old in _State.translators:
        QCoreApplication.removeTranslator(old)
    _State.language = chosen
    QLocale.setDefault(QLocale(chosen))
    found = []
    qt_folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    for path in (
        qt_folder / f"qtbase_{chosen}.qm",
        data_path(f"resources/translations/anchorline_{chosen}.qm"),
    ):
        translator = QTranslator(app)
        if path.is_file() and translator.load(str(path)):
            found.append(translator)
    _State.translators = tuple(found)
    for new in found:
        QCoreApplication.installTranslator(new)
    return chosen


def following(code: str) -> str:
    """The language that comes after one when the operator taps the language button."""
    return LANGUAGES[(LANGUAGES.index(code) + 1) % len(LANGUAGES)]


def sentence(template: str, values: Values = (), *, context: str = "errors") -> str:
    """Translate a template, then fill it in.

    Arguments:
        template: English template with named fields, as in ``AppError``.
        values: its fields.
        context: translation context; ``errors`` for what other packages say.
    """
    if not template:
        return ""
    translate = QCoreApplication.translate
    # A value may be a sentence itself (the hint of another error); others come back as they are.
    filled = {
        name: translate(context, value) if isinstance(value, str) and value.endswith(".") else value
        for name, value in dict(values).items()
    }
    return fill(translate(context, template), filled)


def number(value: int) -> str:
    """A whole number with the locale's grouping."""
    return QLocale().toString(value)


def decimal(value: float, digits: int) -> str:
    """A number with a fixed number of decimals."""
    return QLocale().toString(value, ord("f"), digits)


def megabytes(size_bytes: int) -> str:
    """A size in MB (10^6 bytes), with one decimal below 100."""
    size = size_bytes / 1e6
    return f"{decimal(size, 1 if size < 100 else 0)} MB"


def seconds(milliseconds: float) -> str:
    """A duration in seconds, two decimals below 10."""
    value = milliseconds / 1000
    return f"{decimal(value, 2 if value < 10 else 1)} s"
