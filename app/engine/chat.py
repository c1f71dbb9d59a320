"""The chat template of a model, cut where the log goes in and where the answer begins."""

from __future__ import annotations

from dataclasses import dataclass

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from app.engine.native.surface import Model
from app.errors import AppError

# Used where a GGUF carries no template: the format that both standard models were trained on.
_CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
# Private-use characters: no template treats them, no prompt contains them.
_MARK = "\ue000log\ue001"


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """The fixed text around log and question.

    Attributes:
        opening: from the start of the context to where the log begins; pinned as sinks.
        closing: from the end of the question to where the answer begins.
    """

    opening: str
    closing: str


def chat_frame(model: Model, system: str, heading: str) -> ChatFrame:
    """Render the model's own chat template around a place for log and question.

    Arguments:
        model: supplies the template and its control tokens.
        system: the system message.
        heading: first words of the user message, before the log.

    Raises:
        AppError: the template in the model file cannot be rendered.
    """
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = _refuse
    messages = [
        {"role": "system", "content": system},
        {"role": "user", "content": heading + _MARK},
    ]
    try:
        text = environment.from_string(model.chat_template or _CHATML).render(
            messages=messages,
            add_generation_prompt=True,
            bos_token=model.begin_text,
            eos_token=model.end_text,
        )
    except jinja2.TemplateError as error:
        raise AppError(
            "The chat template in {path} cannot be used: {reason}.",
            "The model file may be damaged or of an unsupported kind; choose another model.",
            path=model.path,
            reason=error,
        ) from error
    opening, mark, closing = text.partition(_MARK)
    if not mark:
        raise AppError(
            "The chat template in {path} leaves out the user's message.",
            "Choose a model with a chat template for instructions.",
            path=model.path,
        )
    return ChatFrame(opening, closing)


def _refuse(message: str) -> None:
    raise jinja2.TemplateError(message)
