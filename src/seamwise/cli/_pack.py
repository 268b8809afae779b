"""The pack of a command, or those of its contracts that were named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from seamwise.binding import Pack
from seamwise.errors import UsageError, did_you_mean


class ChosenPack(Pack):
    """A pack of which only some contracts are judged; it stays so in another process."""

    def choose(self, names: Iterable[str]) -> None:
        """Keeps only the contracts of these names.

        Raises:
            UsageError: There is none of that name.
        """
        known = [c.name for c in self.contracts]
        self.chosen = tuple(dict.fromkeys(names))
        for name in self.chosen:
            if name not in known:
                hint = did_you_mean(name, known) or f"contracts: {', '.join(known) or 'none'}"
                raise UsageError(f"no contract `{name}`", where=self.name, hint=hint)
        self.contracts = tuple(c for c in self.contracts if c.name in self.chosen)

    def __reduce__(self) -> tuple[Any, ...]:
        again, arguments = super().__reduce__()
        return _chosen_again, (again, arguments, self.chosen)


def _chosen_again(again: Callable[..., Pack], arguments: tuple[Any, ...], chosen: tuple[str, ...]) -> Pack:
    pack = again(*arguments)
    pack.contracts = tuple(c for c in pack.contracts if c.name in chosen)
    return pack


def load_pack(path: str, contracts: Iterable[str] = ()) -> Pack:
    """The pack of a file; with names, only those contracts of it.

    Raises:
        PackError: The file cannot be read, or does not fit the language.
        UsageError: There is no contract of that name.
    """
    names = tuple(contracts)
    if not names:
        return Pack.load(path)
    pack = ChosenPack.load(path)
    assert isinstance(pack, ChosenPack)
    pack.choose(names)
    return pack
