"""One question and its answer, from the tap on Ask to the last citation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from app.answers.messages import Answer, Citation
from app.engine.messages import FinishReason
from app.stream.records import Severity
from app.ui import i18n, theme
from app.ui.controls import IconButton, describe, label
from app.ui.marked import MarkedLabel
from app.ui.marks import Level
from app.ui.plain_text import PlainText
from app.ui.window.evidence_card import EvidenceCard

SeverityOf = Callable[[Citation], Severity]


class Turn(QWidget):
    """Question, progress while it is read, words as they come, then the checked answer."""

    citation_chosen = Signal(object)
    """A card was tapped: its :class:`Citation`."""

    def __init__(
        self, answer_id: str, question: str, severity_of: SeverityOf, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.answer_id = answer_id
        self.answer: Answer | None = None
        self.cards: list[EvidenceCard] = []
        self._severity_of = severity_of
        self._prefill = (0, 0)
        self._asked_at = datetime.now()
        self.question = PlainText(bold=True)
        self.question.set_text(question)
        self.clock = label("secondary")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress_text = label("secondary")
        self.box = QFrame()
        self.box.setObjectName("answer")
        self.text = PlainText()
        self.verdict = MarkedLabel(wrapping=True, role="secondary")
        self.rests_on = label("secondary")
        self.metrics = PlainText("secondary", centred=True)
        self.copy_button = IconButton("copy")
        self.copy_button.clicked.connect(self.copy)
        self._build()
        self.retranslate()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(theme.dp(12))
        head.addWidget(self.question, 1)
        head.addWidget(self.clock, 0, Qt.AlignmentFlag.AlignTop)
        inside = QVBoxLayout(self.box)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(theme.dp(8))
        inside.addWidget(self.verdict)
        inside.addWidget(self.text)
        self._cards = QVBoxLayout()
        self._cards.setSpacing(theme.dp(8))
        foot = QHBoxLayout()
        foot.setSpacing(theme.dp(8))
        foot.addWidget(self.metrics, 1)
        foot.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.dp(16), theme.dp(16), theme.dp(16), theme.dp(8))
        column.setSpacing(theme.dp(8))
        column.addLayout(head)
        column.addWidget(self.progress_text)
        column.addWidget(self.progress)
        column.addWidget(self.box)
        column.addWidget(self.rests_on)
        column.addLayout(self._cards)
        column.addLayout(foot)
        for item in (self.verdict, self.rests_on, self.metrics, self.copy_button, self.box):
            item.hide()

    # --- what happens to an answer ------------------------------------------------------------

    def show_prefill(self, done_tokens: int, total_tokens: int) -> None:
        """The question and its evidence are being read."""
        self._prefill = (done_tokens, total_tokens)
        self.retranslate()

    def append_text(self, text: str) -> None:
        """More words."""
        if self.progress.isVisibleTo(self):
            self.progress.hide()
            self.progress_text.hide()
            self.box.show()
        self.text.set_text(self.text.text() + text)

    def finish(self, answer: Answer) -> None:
        """Show the answer in its final, checked form."""
        self.answer = answer
        self._asked_at = datetime.fromtimestamp(answer.asked_at_s)
        self.question.set_text(answer.question)
        self.progress.hide()
        self.progress_text.hide()
        self.text.set_text(answer.text)
        self.text.setVisible(bool(answer.text))
        self.box.show()
        self._set_abstained(answer.abstained)
        for citation in answer.citations:
            card = EvidenceCard(citation, self._severity_of(citation))
            card.clicked.connect(lambda _on=False, cited=citation: self.citation_chosen.emit(cited))
            self.cards.append(card)
            self._cards.addWidget(card)
        self.metrics.show()
        self.copy_button.setVisible(bool(answer.text))
        self.retranslate()

    def copy(self) -> None:
        """Put the question, the answer and the lines it rests on, on the clipboard."""
        if self.answer is None:
            return
        cited = [f"{item.source}:{item.line}: {item.text}" for item in self.answer.citations]
        QGuiApplication.clipboard().setText(
            "\n".join([self.answer.question, "", self.answer.text, "", *cited]).rstrip()
        )

    def _set_abstained(self, abstained: bool) -> None:
        self.box.setProperty("abstained", abstained)
        self.box.style().unpolish(self.box)
        self.box.style().polish(self.box)
        margin = theme.dp(12) if abstained else 0
        inside = self.box.layout()
        assert inside is not None
        inside.setContentsMargins(margin, margin, margin, margin)

    # --- words --------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        today = self._asked_at.date() == datetime.now().date()
        self.clock.setText(self._asked_at.strftime("%H:%M" if today else "%Y-%m-%d %H:%M"))
        describe(self.copy_button, self.tr("Copy question, answer and lines"))
        done, total = self._prefill
        self.progress.setRange(0, max(0, total))
        self.progress.setValue(done)
        self.progress.setAccessibleName(self.tr("Reading the question"))
        self.progress_text.setText(
            self.tr("Reading the question and its lines: {done} of {total} tokens").format(
                done=i18n.number(done), total=i18n.number(total)
            )
            if total
            else self.tr("Waiting for the engine")
        )
        answer = self.answer
        if answer is None:
            return
        verdict = self._verdict(answer)
        self.verdict.setVisible(verdict is not None)
        if verdict is not None:
            self.verdict.show_text(*verdict)
        self.rests_on.setVisible(bool(answer.citations))
        self.rests_on.setText(
            self.tr("Lines looked at")
            if answer.abstained
            else self.tr("Rests on %Ln line(s)", "", len(answer.citations))
        )
        self.metrics.set_text(" · ".join(self._metrics(answer)))

    def _verdict(self, answer: Answer) -> tuple[Level, str] | None:
        """The mark above an answer that is not simply an answer."""
        reasons = {
            FinishReason.STOPPED: (Level.NOTICE, self.tr("Stopped: written up to here")),
            FinishReason.LENGTH: (Level.NOTICE, self.tr("Cut at the length limit")),
            FinishReason.LOOP: (Level.NOTICE, self.tr("Cut where it began to repeat itself")),
            FinishReason.ERROR: (Level.WARNING, self.tr("Failed: no complete answer")),
            FinishReason.INTERRUPTED: (
                Level.WARNING,
                self.tr("Interrupted: the program ended while it was written"),
            ),
        }
        if answer.finish in reasons:
            return reasons[answer.finish]
        if answer.abstained:
            return Level.NOTICE, self.tr("No answer: the log does not say")
        return None

    def _metrics(self, answer: Answer) -> list[str]:
        parts = []
        if answer.ttft_ms > 0:
            parts.append(
                self.tr("first word {seconds}").format(seconds=i18n.seconds(answer.ttft_ms))
            )
        if answer.tokens_per_s > 0:
            parts.append(
                self.tr("{rate} tokens/s").format(rate=i18n.decimal(answer.tokens_per_s, 1))
            )
        if answer.prefill_tokens > 0:
            parts.append(
                self.tr("{count} tokens read").format(count=i18n.number(answer.prefill_tokens))
            )
        if answer.target:
            # Word joiners keep the name in one piece where the line is broken.
            parts.append(short_model_name(answer.target).replace("-", "-\u2060"))
        return parts


def short_model_name(file_name: str) -> str:
    """A model's file name without what every such name ends with.

    >>> short_model_name("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf")
    'qwen2.5-coder-1.5b'
    """
    stem = file_name.removesuffix(".gguf")
    for word in ("-instruct", "-Instruct"):
        stem = stem.partition(word)[0]
    return stem
