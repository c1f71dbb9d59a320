"""Bring the translation files up to date with the sources, and compile them.

Run by hand after a text has changed: ``python packaging/translations/update.py``, then translate
what is marked unfinished in ``resources/translations/anchorline_zh_CN.ts`` and run it again.

Texts of the console are found by Qt's lupdate. What other packages say to an operator (AppError,
notices, source notes, verdicts) is found here, in the syntax tree, since those packages know
nothing of Qt; it lands in the contexts ``errors`` and ``verdicts``.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "translations"
TOOLS = Path(sys.executable).parent

SAID_BY = {
    "AppError": "errors",
    "UsageError": "errors",
    "Notice": "errors",
    "EngineProblem": "errors",
    "SourceStatus": "errors",
    "SourceChange": "errors",
    "SourceNote": "errors",
    "HistoryNotice": "errors",
    "Verdict": "verdicts",
}
"""Class that carries a template to an operator: translation context."""
FIELDS = {"message", "hint", "note", "template"}
# States and names travel in the same objects; a sentence has a blank in it and ends like one.
ENDS = (".", "!", "?", "}")
NOTES = "stream"
"""The package whose notes are also kept in constants: every sentence with a field in it counts."""
_FIELD = re.compile(r"\{[a-z_]+\}")


def templates() -> set[tuple[str, str]]:
    """Context and English text of every template in ``app/``."""
    found: set[tuple[str, str]] = set()
    for path in sorted((ROOT / "app").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        known = dict(SAID_BY)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                if any(SAID_BY.get(base) == "errors" for base in bases):
                    known[node.name] = "errors"
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                context = known.get(_called(node.func))
                if context is not None:
                    found.update((context, text) for text in _sentences(node))
        if path.parent.name == NOTES:
            found.update(("errors", text) for text in _notes(tree))
    return found


def _called(func: ast.expr) -> str:
    if isinstance(func, ast.Name):
        return func.id
    return func.attr if isinstance(func, ast.Attribute) else ""


def _sentences(call: ast.Call) -> Iterator[str]:
    given = [*call.args, *(item.value for item in call.keywords if item.arg in FIELDS)]
    for value in given:
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if " " in text and text.endswith(ENDS):
                    yield text


def _notes(tree: ast.AST) -> Iterator[str]:
    """Sentences with fields that stand outside of docstrings and f-strings."""
    passed = [
        child
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr | ast.Expr)
        for child in ast.walk(node)
        if isinstance(node, ast.JoinedStr) or isinstance(node.value, ast.Constant)
    ]
    skipped = {id(node) for node in passed}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if id(node) not in skipped and _FIELD.search(text) and text.endswith(ENDS):
                yield text


def update() -> None:
    """Rewrite the .ts files; translations that are there stay."""
    sources = sorted(str(path) for path in (ROOT / "app" / "ui").rglob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        gathered = Path(folder) / "templates.py"
        lines = [
            f"QCoreApplication.translate({context!r}, {_literal(text)})"
            for context, text in sorted(templates())
        ]
        gathered.write_text("\n".join(lines) + "\n", encoding="utf-8")
        common = ["-locations", "none", "-no-obsolete", "-source-language", "en"]
        for code, extra in (("zh_CN", []), ("en", ["-pluralonly"])):
            target = FOLDER / f"anchorline_{code}.ts"
            _run("lupdate", *common, *extra, "-target-language", code,
                 *sources, str(gathered), "-ts", str(target))  # fmt: skip


def release() -> None:
    """Compile the .ts files into the .qm files that the console loads."""
    for path in sorted(FOLDER.glob("*.ts")):
        _run("lrelease", str(path), "-qm", str(path.with_suffix(".qm")))


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _run(tool: str, *arguments: str) -> None:
    subprocess.run([str(TOOLS / f"pyside6-{tool}"), *arguments], check=True)


if __name__ == "__main__":
    update()
    release()
