"""The engine's three panels: acceptance, memory occupancy, perplexity; each with its verdict."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.engine.messages import EnginePhase, EngineState, MemoryUse, Telemetry
from app.ui import i18n, theme, verdicts
from app.ui.controls import label
from app.ui.marked import MarkedLabel
from app.ui.plots import Line, Ring
from app.ui.verdicts import Verdict

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Figures(QWidget):
    """Names on the left, numbers with units right-aligned in columns."""

    def __init__(self, rows: int, columns: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.dp(12))
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        self.names = [label("secondary") for _ in range(rows)]
        self.numbers = [[label() for _ in range(columns)] for _ in range(rows)]
        for row in range(rows):
            grid.addWidget(self.names[row], row, 0)
            for column in range(columns):
                self.numbers[row][column].setAlignment(_RIGHT)
                grid.addWidget(self.numbers[row][column], row, column + 1)

    def show_row(self, row: int, name: str, *numbers: str) -> None:
        """Fill a row in."""
        self.names[row].setText(name)
        for place, number in enumerate(numbers):
            self.numbers[row][place].setText(number)


class Panel(QWidget):
    """A frame with a title and a verdict in plain words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.telemetry = Telemetry()
        self.state = EngineState(EnginePhase.LOADING)
        self.title = label("strong")
        self.headline = label("strong")
        self.headline.setAlignment(_RIGHT)
        self.verdict_label = MarkedLabel(wrapping=True)
        self.verdict: Verdict | None = None
        head = QHBoxLayout()
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.headline)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(theme.dp(16), theme.dp(8), theme.dp(16), theme.dp(12))
        self.column.setSpacing(theme.dp(6))
        self.column.addLayout(head)

    def finish_layout(self, body: QWidget | QHBoxLayout) -> None:
        """Put the body between title and verdict."""
        if isinstance(body, QWidget):
            self.column.addWidget(body, 1)
        else:
            self.column.addLayout(body, 1)
        self.column.addWidget(self.verdict_label)

    def show_telemetry(self, telemetry: Telemetry, state: EngineState) -> None:
        """Take the newest figures."""
        self.telemetry, self.state = telemetry, state
        self.retranslate()

    def show_verdict(self, verdict: Verdict) -> None:
        """Say how things stand."""
        self.verdict = verdict
        text = i18n.sentence(verdict.template, verdict.values, context="verdicts")
        self.verdict_label.show_text(verdict.level, text)
        self.setAccessibleName(f"{self.title.text()}: {text}")

    def retranslate(self) -> None:
        """Take every text again in the language in force."""

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


class AcceptancePanel(Panel):
    """How words are made: mode in force, acceptance where drafts are proposed, speeds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figures = Figures(3)
        self.line = Line()
        self.line.set_band(verdicts.ACCEPTANCE_BAND)
        self.line.hide()
        self._body = QWidget()
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.figures)
        column.addWidget(self.line, 1)
        column.addStretch(0)
        self.finish_layout(self._body)
        self.retranslate()

    def show_telemetry(self, telemetry: Telemetry, state: EngineState) -> None:
        if telemetry.acceptance_rate is not None and telemetry is not self.telemetry:
            self.line.push(telemetry.acceptance_rate)
        self.line.setVisible(bool(self.line.values))
        super().show_telemetry(telemetry, state)

    def retranslate(self) -> None:
        rate = self.telemetry.acceptance_rate
        self.title.setText(self.tr("Acceptance"))
        self.headline.setText(
            f"{round(rate * 100)}%"
            if rate is not None
            else self.tr("plain decoding")
            if self.telemetry.mode == "plain"
            else self.telemetry.mode
        )
        self.figures.show_row(
            0,
            self.tr("Writing"),
            _rate(self.telemetry.decode_tokens_per_s, self.tr("{rate} tokens/s")),
        )
        self.figures.show_row(
            1,
            self.tr("Reading the log"),
            _rate(self.telemetry.ingest_tokens_per_s, self.tr("{rate} tokens/s")),
        )
        ttft_ms = self.telemetry.ttft_ms
        self.figures.show_row(
            2, self.tr("First word after"), i18n.seconds(ttft_ms) if ttft_ms > 0 else "–"
        )
        self.show_verdict(verdicts.acceptance(self.telemetry, self.state.phase))


class MemoryPanel(Panel):
    """The cache as a ring, its parts in tokens and MB, and the process's memory."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ring = Ring()
        self.parts = Figures(5, 2)
        body = QHBoxLayout()
        body.setSpacing(theme.dp(16))
        body.addWidget(self.ring, 0, Qt.AlignmentFlag.AlignVCenter)
        body.addWidget(self.parts, 1, Qt.AlignmentFlag.AlignVCenter)
        self.finish_layout(body)
        self.retranslate()

    def retranslate(self) -> None:
        cache, use = self.telemetry.cache, self.telemetry.memory
        self.title.setText(self.tr("Memory"))
        self.headline.setText(
            self.tr("{count} tokens").format(count=i18n.number(cache.capacity_tokens))
        )
        self.ring.show_cache(cache)
        per_token = cache.bytes_per_token
        for row, (name, tokens) in enumerate(
            (
                (self.tr("Sinks"), cache.sink_tokens),
                (self.tr("Window"), cache.window_tokens),
                (self.tr("Asking"), cache.asking_tokens),
            )
        ):
            self.parts.show_row(row, name, i18n.number(tokens), i18n.megabytes(tokens * per_token))
        anonymous, swapped = _process(use)
        self.parts.show_row(3, self.tr("Process"), "", anonymous)
        self.parts.show_row(4, self.tr("Swapped"), "", swapped)
        names = (self.tr("sinks"), self.tr("window"), self.tr("asking"))
        counts = (cache.sink_tokens, cache.window_tokens, cache.asking_tokens)
        self.ring.setAccessibleName(
            ", ".join(
                f"{name} {i18n.number(count)}" for name, count in zip(names, counts, strict=True)
            )
        )
        self.show_verdict(verdicts.memory(cache, use))


class PerplexityPanel(Panel):
    """How well the model foresees the log, over time, against what is usual here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = Line()
        self.sample = label("secondary")
        self._body = QWidget()
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.dp(4))
        column.addWidget(self.line, 1)
        column.addWidget(self.sample)
        self.finish_layout(self._body)
        self.retranslate()

    def show_telemetry(self, telemetry: Telemetry, state: EngineState) -> None:
        if telemetry.perplexity is not None and telemetry is not self.telemetry:
            self.line.push(telemetry.perplexity)
            self.line.set_band(verdicts.usual_band(tuple(self.line.values)))
        super().show_telemetry(telemetry, state)

    def retranslate(self) -> None:
        value = self.telemetry.perplexity
        self.title.setText(self.tr("Perplexity"))
        self.headline.setText(i18n.decimal(value, 2) if value is not None else "–")
        count = self.telemetry.perplexity_tokens
        self.sample.setText(
            self.tr("over the last {count} sampled tokens").format(count=i18n.number(count))
            if count
            else self.tr("no sample yet")
        )
        self.show_verdict(verdicts.perplexity(tuple(self.line.values)))


class Drawer(QWidget):
    """The three panels side by side (or below each other where the window is narrow)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("drawer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.acceptance = AcceptancePanel()
        self.memory = MemoryPanel()
        self.perplexity = PerplexityPanel()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(theme.dp(12), theme.dp(12), theme.dp(12), theme.dp(12))
        self._grid.setSpacing(theme.dp(8))
        self._narrow: bool | None = None
        self.set_narrow(False)

    def set_narrow(self, narrow: bool) -> None:
        """Three in a row, or the ring above the other two."""
        if narrow is self._narrow:
            return
        self._narrow = narrow
        panels: tuple[Panel, ...] = (self.acceptance, self.memory, self.perplexity)
        for panel in panels:
            self._grid.removeWidget(panel)
        if narrow:
            self._grid.addWidget(self.memory, 0, 0, 1, 2)
            self._grid.addWidget(self.acceptance, 1, 0)
            self._grid.addWidget(self.perplexity, 1, 1)
        else:
            for column, panel in enumerate(panels):
                self._grid.addWidget(panel, 0, column)
        for column, stretch in enumerate((1, 1, 0) if narrow else (3, 4, 3)):
            self._grid.setColumnStretch(column, stretch)

    def show_telemetry(self, telemetry: Telemetry, state: EngineState) -> None:
        """Take the newest figures."""
        self.acceptance.show_telemetry(telemetry, state)
        self.memory.show_telemetry(telemetry, state)
        self.perplexity.show_telemetry(telemetry, state)


def _rate(value: float, template: str) -> str:
    return template.format(rate=i18n.decimal(value, 1)) if value > 0 else "–"


def _process(use: MemoryUse) -> tuple[str, str]:
    return (
        i18n.megabytes(use.anonymous_bytes) if use.anonymous_bytes >= 0 else "–",
        i18n.megabytes(use.swapped_bytes) if use.swapped_bytes >= 0 else "–",
    )
