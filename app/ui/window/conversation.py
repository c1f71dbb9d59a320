"""Right side of the window: questions and answers, suggestions, the question bar."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.answers.messages import Answer
from app.ui import theme
from app.ui.controls import Strip, button, label, make_kinetic, rule
from app.ui.plain_text import PlainText
from app.ui.throttle import Throttle
from app.ui.window.question_bar import QuestionBar
from app.ui.window.turn import SeverityOf, Turn

MOST_TURNS: Final = 40
"""Answers kept on the page; older ones are in the history. Constant memory over weeks."""

_WORDS_MS: Final = 33
_CHIP_DP: Final = 360


class Conversation(QWidget):
    """Answers from top to bottom, the newest in view."""

    asked = Signal(str)
    """A suggestion was tapped or a question entered."""
    citation_chosen = Signal(object)

    def __init__(self, severity_of: SeverityOf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._severity_of = severity_of
        self.turns: list[Turn] = []
        self._unshown: dict[str, str] = {}
        self._at_end = True
        self._placing = False
        self._low = False
        self._suggestions: tuple[str, ...] = ()
        self._offered: list[QPushButton] = []
        # Code answers some questions before a gloved hand's second tap has landed.
        self._second_tap = QTimer(self)
        self._second_tap.setSingleShot(True)
        self._second_tap.setInterval(QApplication.doubleClickInterval())
        self._second_tap.timeout.connect(self._set_taps)
        self.show_words = Throttle(self._show_words, _WORDS_MS, self)
        self.bar = QuestionBar()
        self.bar.asked.connect(self.asked)
        self.chips = Strip()
        self.chips.row.setSpacing(theme.dp(8))
        self.pages = QStackedWidget()
        self.pages.addWidget(self._make_welcome())
        self.pages.addWidget(self._make_scroller())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.pages, 1)
        column.addWidget(rule())
        self._chip_row = QWidget()
        chip_column = QVBoxLayout(self._chip_row)
        chip_column.setContentsMargins(theme.dp(12), theme.dp(8), theme.dp(12), 0)
        chip_column.addWidget(self.chips)
        column.addWidget(self._chip_row)
        column.addWidget(self.bar)
        self._chip_row.hide()
        self.retranslate()

    def _make_welcome(self) -> QScrollArea:
        self.welcome_title = label("heading")
        self.welcome_text = PlainText("secondary")
        self._welcome_chips = QVBoxLayout()
        self._welcome_chips.setSpacing(theme.dp(8))
        area, column = _scroll_column()
        column.setContentsMargins(theme.dp(24), theme.dp(24), theme.dp(24), theme.dp(16))
        column.setSpacing(theme.dp(12))
        column.addWidget(self.welcome_title)
        column.addWidget(self.welcome_text)
        column.addSpacing(theme.dp(8))
        column.addLayout(self._welcome_chips)
        column.addStretch(1)
        return area

    def _make_scroller(self) -> QScrollArea:
        self.scroller, self._column = _scroll_column()
        self._column.setContentsMargins(0, 0, 0, theme.dp(8))
        self._column.setSpacing(0)
        self._column.addStretch(1)
        bar = self.scroller.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._grown)
        return self.scroller

    # --- answers ------------------------------------------------------------------------------

    def begin(self, answer_id: str, question: str) -> Turn:
        """A question was taken."""
        turn = Turn(answer_id, question, self._severity_of)
        turn.citation_chosen.connect(self.citation_chosen)
        if self.turns:
            self._column.insertWidget(self._column.count() - 1, rule())
        self.turns.append(turn)
        self._column.insertWidget(self._column.count() - 1, turn)
        self._drop_old()
        self._at_end = True
        self.pages.setCurrentIndex(1)
        self._show_suggestions()
        return turn

    def prefill(self, answer_id: str, done_tokens: int, total_tokens: int) -> None:
        """The question is being read."""
        turn = self.turn_of(answer_id)
        if turn is not None:
            turn.show_prefill(done_tokens, total_tokens)

    def append(self, answer_id: str, text: str) -> None:
        """More words; shown at most thirty times a second."""
        self._unshown[answer_id] = self._unshown.get(answer_id, "") + text
        self.show_words()

    def finish(self, answer: Answer) -> Turn:
        """The final form of an answer."""
        self._unshown.pop(answer.id, None)
        turn = self.turn_of(answer.id) or self.begin(answer.id, answer.question)
        turn.finish(answer)
        return turn

    def turn_of(self, answer_id: str) -> Turn | None:
        """The turn of an answer, if it is still on the page."""
        return next((turn for turn in reversed(self.turns) if turn.answer_id == answer_id), None)

    def _show_words(self) -> None:
        waiting, self._unshown = self._unshown, {}
        for answer_id, text in waiting.items():
            turn = self.turn_of(answer_id)
            if turn is not None:
                turn.append_text(text)

    def _drop_old(self) -> None:
        while len(self.turns) > MOST_TURNS:
            self.turns.pop(0)
            for _ in range(2):  # the turn and the rule below it
                item = self._column.takeAt(0)
                widget = item.widget() if item is not None else None
                if widget is not None:
                    widget.hide()
                    widget.deleteLater()

    def _scrolled(self, value: int) -> None:
        if not self._placing:
            self._at_end = value >= self.scroller.verticalScrollBar().maximum() - theme.dp(8)

    def _grown(self, _least: int, most: int) -> None:
        """Keep the newest words in view and, once an answer is complete, its question."""
        if not self._at_end:
            return
        newest = self.turns[-1] if self.turns else None
        complete = newest is not None and newest.answer is not None
        self._placing = True
        self.scroller.verticalScrollBar().setValue(
            min(most, newest.y()) if newest is not None and complete else most
        )
        self._placing = False

    def set_answering(self, answering: bool) -> None:
        """A question is open, or none: it takes Ask and the suggestions out of reach."""
        self.bar.set_answering(answering)
        self._set_taps()

    # --- suggestions --------------------------------------------------------------------------

    def set_suggestions(self, questions: tuple[str, ...]) -> None:
        """Offer questions for a tap."""
        if questions != self._suggestions:
            self._suggestions = questions
            self._show_suggestions()

    def set_low(self, low: bool) -> None:
        """Give the row of suggestions away where the window is low."""
        if low != self._low:
            self._low = low
            self._show_suggestions()

    def suggestions(self) -> tuple[str, ...]:
        """The questions on offer."""
        return self._suggestions

    def welcome_chips(self) -> list[QWidget]:
        """Suggestions as the empty page shows them."""
        items = (self._welcome_chips.itemAt(place) for place in range(self._welcome_chips.count()))
        return [item.widget() for item in items if item is not None]

    def _tapped(self, question: str) -> None:
        self._second_tap.start()
        self._set_taps()
        self.asked.emit(question)

    def _set_taps(self) -> None:
        may_tap = not self.bar.answering and not self._second_tap.isActive()
        for chip in self._offered:
            chip.setEnabled(may_tap)

    def _show_suggestions(self) -> None:
        self._offered.clear()
        self.chips.clear()
        while self._welcome_chips.count():
            widget = self._welcome_chips.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        asked_before = bool(self.turns)
        self._chip_row.setVisible(asked_before and bool(self._suggestions) and not self._low)
        for question in self._suggestions:
            chip = button("chip")
            shown = question
            if asked_before:
                right = Qt.TextElideMode.ElideRight
                shown = self.fontMetrics().elidedText(question, right, theme.dp(_CHIP_DP))
            # A mnemonic would eat an ampersand of the question.
            chip.setText(shown.replace("&", "&&"))
            chip.setAccessibleName(question)
            chip.clicked.connect(lambda _on=False, text=question: self._tapped(text))
            self._offered.append(chip)
            if asked_before:
                self.chips.add(chip)
            else:
                self._welcome_chips.addWidget(chip)
        self._set_taps()

    # --- words --------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self.welcome_title.setText(self.tr("Ask about this log"))
        self.welcome_text.set_text(
            self.tr(
                "Every answer names the lines it rests on; a tap shows them. "
                "What the log does not say, the console does not guess."
            )
        )
        self.scroller.setAccessibleName(self.tr("Questions and answers"))
        self.chips.setAccessibleName(self.tr("Suggested questions"))


def _scroll_column() -> tuple[QScrollArea, QVBoxLayout]:
    """An area that scrolls up and down, and the column of widgets in it."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    page = QWidget()
    page.setObjectName("surface")
    column = QVBoxLayout(page)
    area.setWidget(page)
    make_kinetic(area)
    return area, column
