"""Every text of the console and of its errors in both languages."""

from __future__ import annotations

import importlib.util
import string
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from app.ui import i18n

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "translations"


def messages(code: str) -> list[tuple[str, ElementTree.Element]]:
    """Context and message element of a translation file."""
    root = ElementTree.parse(FOLDER / f"anchorline_{code}.ts").getroot()
    return [
        (context.findtext("name", ""), message)
        for context in root.iter("context")
        for message in context.iter("message")
    ]


def forms(message: ElementTree.Element) -> list[str]:
    """The translated texts of a message."""
    translation = message.find("translation")
    assert translation is not None
    plural = [form.text or "" for form in translation.findall("numerusform")]
    return plural or [translation.text or ""]


def fields(text: str) -> set[str]:
    """Names of the fields of a template."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_every_text_is_translated(code: str) -> None:
    unfinished = [
        (context, message.findtext("source"))
        for context, message in messages(code)
        if message.find("translation[@type]") is not None or not all(forms(message))
    ]
    assert not unfinished


def test_translations_have_the_fields_of_their_originals() -> None:
    wrong = [
        source
        for _, message in messages("zh_CN")
        for source in [message.findtext("source", "")]
        for form in forms(message)
        if fields(source) != fields(form) or ("%Ln" in source) != ("%Ln" in form)
    ]
    assert not wrong


def test_the_compiled_files_say_what_the_sources_say() -> None:
    translator = QTranslator()
    assert translator.load(str(FOLDER / "anchorline_zh_CN.qm"))
    for context, message in messages("zh_CN"):
        source = message.findtext("source", "")
        number = 3 if message.get("numerus") else -1
        assert translator.translate(context, source, "", number) == forms(message)[0], source


def _update_script() -> ModuleType:
    path = ROOT / "packaging" / "translations" / "update.py"
    spec = importlib.util.spec_from_file_location("update_translations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_everything_an_operator_may_be_told_is_in_the_file() -> None:
    known = {(context, message.findtext("source", "")) for context, message in messages("zh_CN")}
    said: set[tuple[str, str]] = _update_script().templates()
    assert len(said) > 50
    assert not sorted(said - known), (
        "run packaging/translations/update.py and translate what is new"
    )


def test_a_template_is_translated_before_it_is_filled_in() -> None:
    i18n.set_language("zh_CN")
    assert (
        i18n.sentence("There is no file {path}.", {"path": "a {b}.log"})
        == "文件 a {b}.log 不存在。"
    )
    inner = {"known": "Check its permissions and the disk."}
    assert i18n.sentence("Known: {known}.", inner) == "已知：请检查其权限和磁盘。。"
    assert i18n.sentence("") == ""
    assert i18n.sentence("An unknown {thing}.", [("thing", 1)]) == "An unknown 1."


def test_numbers_follow_the_language() -> None:
    assert i18n.number(1_234_567) == "1,234,567"
    assert i18n.megabytes(5_734_400) == "5.7 MB"
    assert i18n.megabytes(1_412_000_000) == "1,412 MB"
    assert i18n.seconds(412) == "0.41 s"
    assert i18n.seconds(12_340) == "12.3 s"


def test_the_language_goes_round_and_unknown_ones_mean_the_systems() -> None:
    assert i18n.following("en") == "zh_CN"
    assert i18n.following("zh_CN") == "en"
    assert i18n.set_language("auto") in i18n.LANGUAGES
    i18n.set_language("en")
    assert QCoreApplication.translate("QuestionBar", "Ask") == "Ask"
