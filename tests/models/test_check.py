"""What cannot run is refused before it is loaded, with the reason and the next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import AppError
from app.models.check import check_file, check_memory, check_same_vocabulary, verify
from app.models.gguf import read_gguf
from tests.models.helpers import gguf, listed

WHOLE = gguf()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.gguf"
    path.write_bytes(WHOLE)
    return path


def _written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_a_good_file_passes(model: Path) -> None:
    expected = listed("m.gguf", WHOLE)
    assert check_file(model, expected).name == "Small"
    verify(model, expected)


def test_a_shorter_file_than_listed_is_truncated(model: Path) -> None:
    with pytest.raises(AppError, match="truncated: it has"):
        check_file(model, listed("m.gguf", WHOLE + b"more"))


def test_a_longer_file_than_listed_is_another_one(model: Path) -> None:
    model.write_bytes(WHOLE + b"more")
    with pytest.raises(AppError, match="not the file it should be"):
        check_file(model, listed("m.gguf", WHOLE))


def test_one_changed_byte_is_noticed(model: Path) -> None:
    model.write_bytes(WHOLE[:-1] + b"\x00")
    with pytest.raises(AppError, match="SHA-256 is not the listed one.*fetch it again"):
        verify(model, listed("m.gguf", WHOLE))


def test_a_change_after_a_good_check_is_noticed(model: Path) -> None:
    expected = listed("m.gguf", WHOLE)
    verify(model, expected)
    model.write_bytes(WHOLE[:-1] + b"\x00")
    with pytest.raises(AppError, match="damaged"):
        verify(model, expected)


def test_a_digest_is_computed_once_and_again_on_request(model: Path) -> None:
    expected = listed("m.gguf", WHOLE)
    reads: list[int] = []

    def count(done: int, _total: int) -> None:
        reads.append(done)

    verify(model, expected, count)
    verify(model, expected, count)
    assert reads == [len(WHOLE)]
    verify(model, expected, count, again=True)
    assert reads == [len(WHOLE)] * 2


def test_spoilt_notes_about_digests_are_no_obstacle(model: Path) -> None:
    (model.parent / ".verified.json").write_text("[not notes")
    verify(model, listed("m.gguf", WHOLE))


def test_a_folder_that_takes_no_notes_is_no_obstacle(model: Path) -> None:
    (model.parent / ".verified.json").mkdir()
    verify(model, listed("m.gguf", WHOLE))
    assert sorted(path.name for path in model.parent.iterdir()) == [".verified.json", "m.gguf"]


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (gguf(["a", "b", "aa", "终"]), "from token 2 on"),
        (gguf(pre="other"), "gpt2/test and gpt2/other"),
        (gguf([str(number) for number in range(200)]), "4 and 200 tokens"),
    ],
)
def test_a_draft_with_another_vocabulary_is_refused(
    tmp_path: Path, model: Path, draft: bytes, reason: str
) -> None:
    other = read_gguf(_written(tmp_path, "draft.gguf", draft))
    with pytest.raises(AppError, match=rf"draft\.gguf cannot draft for m\.gguf.*{reason}"):
        check_same_vocabulary(read_gguf(model), other)


def test_a_draft_whose_vocabulary_is_only_padded_is_accepted(tmp_path: Path, model: Path) -> None:
    padded = _written(tmp_path, "draft.gguf", gguf(["a", "b", "ab", "终", "<pad0>", "<pad1>"]))
    check_same_vocabulary(read_gguf(model), read_gguf(padded))


def test_too_little_memory_is_said_with_both_figures(model: Path) -> None:
    info = read_gguf(model)
    # two layers x one KV head x (4 + 4) elements x 2 bytes x 1,000,000 tokens
    with pytest.raises(AppError, match=r"32 MB needed, 10 MB free.*--profile tiny"):
        check_memory([info], 1_000_000, available_bytes=10_000_000)
    check_memory([info], 1_000_000, available_bytes=40_000_000)


def test_memory_is_asked_of_the_system_where_nothing_is_said(model: Path) -> None:
    check_memory([read_gguf(model)], 512)
