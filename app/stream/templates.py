"""Templates of log lines: Drain over masked text, each distinct masked text looked up once.

Drain: P. He, J. Zhu, Z. Zheng, M. R. Lyu, "Drain: An Online Log Parsing Approach with Fixed Depth
Tree", ICWS 2017; here through drain3-improved, the fork that is kept up.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from drain3.drain import Drain, LogCluster

from app.stream.records import Severity
from app.stream.severity import severity_of

WILDCARD = "<*>"
UNASSIGNED = -1
_MASKED_CHARS = 2_048
_CACHE_ENTRIES = 8_192
_CACHE_CHARS = 4_000_000
_MAX_TEMPLATES = 10_000
_CANDIDATES = 100
# Lines begin with a host, a level, a component: words after those decide as well, or "Accepted
# password" becomes one template with "Failed password". Three leading words decide at this depth;
# the numbers of templates come near those published for eight systems (loghub) at 6 and at 7, and
# at 7 too many words stay apart in logs without a header.
_DEPTH = 6
_SIMILARITY = 0.6
# Differs from Drain's own wildcard, so that masked words of two lines count as the same word.
_MASKED = "<#>"

# Numbers with their inner punctuation (addresses, dates, decimals), hexadecimal numbers and
# identifiers. A zero that stands alone is kept: "0 errors" and "5 errors" differ. The pattern
# begins with a digit so that the search skips all else quickly; identifiers that begin with a
# letter are looked for only in lines where a hexadecimal letter follows a digit.
_NUMBER = re.compile(
    r"[0-9](?!(?<=\b0)\b(?!\.[0-9]*[1-9]))(?:"
    r"(?<=0)x[0-9A-Fa-f]+"
    r"|(?<![0-9A-Za-z][0-9])[0-9A-Fa-f]{7,}(?:-[0-9A-Fa-f]{4,})*(?![0-9A-Za-z])"
    r"|[0-9]*(?:[.:,/-][0-9]+)*)"
)
_MIXED = re.compile(r"[0-9][A-Fa-f]")
_IDENTIFIER = re.compile(
    r"(?<![0-9A-Za-z])[A-Fa-f](?=[A-Fa-f]*[0-9])[0-9A-Fa-f]{7,}(?:-[0-9A-Fa-f]{4,})*(?![0-9A-Za-z])"
)


@dataclass(frozen=True, slots=True)
class Template:
    """A shape that lines share.

    Attributes:
        id: stable as long as the program runs, from 1.
        text: the words they share, ``<*>`` for what varies, without the time.
        count: lines of this shape so far.
        first_index, last_index: indices of its first and latest record in the store.
        severity: the worst of its lines.
    """

    id: int
    text: str
    count: int
    first_index: int
    last_index: int
    severity: Severity


def mask(text: str) -> str:
    """The text with numbers, addresses and identifiers replaced by ``<#>``."""
    text = text[:_MASKED_CHARS]
    if _MIXED.search(text) is not None:
        text = _IDENTIFIER.sub(_MASKED, text)
    return _NUMBER.sub(_MASKED, text)


class _BoundedDrain(Drain):
    """Drain whose cost a line has a limit.

    Text without shape (a hex dump, Base64) makes each line a cluster of its own in one leaf, and
    each further line is compared with all of them: a few hundred lines a second. Here only the
    latest clusters of a leaf are compared.
    """

    def fast_match(
        self,
        cluster_ids: Collection[int],
        tokens: Sequence[str],
        sim_th: float,
        include_params: bool,
    ) -> LogCluster | None:
        """The best of the leaf's latest clusters, if it is similar enough."""
        latest = list(cluster_ids)[-_CANDIDATES:]
        return super().fast_match(latest, tokens, sim_th, include_params)


class TemplateMiner:
    """Assigns template ids and severities; all sources share one.

    Memory is bounded: once ``_MAX_TEMPLATES`` shapes are known, lines of none of them stay
    unassigned (and are counted).
    """

    def __init__(self) -> None:
        self._drain = _BoundedDrain(
            depth=_DEPTH, sim_th=_SIMILARITY, max_children=100, param_str=WILDCARD
        )
        self._cache: dict[str, tuple[int, Severity]] = {}
        self._cache_chars = 0
        self._changed: dict[int, LogCluster] = {}
        self.unassigned = 0

    def assign(self, body: str) -> tuple[int, Severity]:
        """Template id and severity of a line whose time has been taken out."""
        masked = mask(body)
        try:
            return self._cache[masked]
        except KeyError:
            return self._learn(masked, body)

    def take_changed(self) -> dict[int, str]:
        """Texts of the templates that are new or became more general since the last call."""
        changed = {
            number: cluster.get_template().replace(_MASKED, WILDCARD)
            for number, cluster in self._changed.items()
        }
        self._changed.clear()
        return changed

    def _learn(self, masked: str, body: str) -> tuple[int, Severity]:
        found = (self._template(masked), severity_of(body))
        if len(self._cache) >= _CACHE_ENTRIES or self._cache_chars > _CACHE_CHARS:
            self._cache.clear()
            self._cache_chars = 0
        self._cache[masked] = found
        self._cache_chars += len(masked)
        return found

    def _template(self, masked: str) -> int:
        if self._drain.clusters_counter >= _MAX_TEMPLATES:
            known = self._drain.match(masked)
            if known is None:
                self.unassigned += 1
                return UNASSIGNED
            return int(known.cluster_id)
        cluster, change = self._drain.add_log_message(masked)
        if change != "none":
            self._changed[cluster.cluster_id] = cluster
        return int(cluster.cluster_id)
