"""The two kinds of failure: what a person can mend (AppError), and bugs (everything else)."""

from __future__ import annotations


class AppError(Exception):
    """Something a person can mend: a missing model, an unreadable file, a full disk.

    ``message`` says what happened and ``hint`` what to do next, both as English templates with
    named fields, so that the user interface can translate the template before it fills it in.

    Arguments:
        message: template of the sentence that says what happened, e.g. ``"Cannot read {path}."``.
        hint: template of the sentence that says what to do; may be empty.
        values: the fields of both templates.
    """

    def __init__(self, message: str, hint: str = "", **values: object) -> None:
        self.message_template = message
        self.hint_template = hint
        self.values = values
        super().__init__(str(self))

    @property
    def message(self) -> str:
        """What happened, in English."""
        return fill(self.message_template, self.values)

    @property
    def hint(self) -> str:
        """What to do next, in English; may be empty."""
        return fill(self.hint_template, self.values)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions pickle by their args; ours must survive the pipe to a worker process.
        return (_rebuild, (type(self), self.message_template, self.hint_template, self.values))


class UsageError(AppError):
    """The command line or a setting is wrong."""


def fill(template: str, values: dict[str, object]) -> str:
    """Fill a template; a text without values is taken literally, braces and all."""
    return template.format(**values) if values else template


def _rebuild(kind: type[AppError], message: str, hint: str, values: dict[str, object]) -> AppError:
    return kind(message, hint, **values)
