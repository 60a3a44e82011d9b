"""Frozen mappings: the values a walk is made of."""

from collections.abc import Iterator, Mapping
from typing import Any


class Frozen(Mapping[Any, Any]):
    """A small immutable, hashable mapping."""

    __slots__ = ("_hash", "_items")

    def __init__(self, items: Mapping[Any, Any] | None = None, **more: Any) -> None:
        self._items: dict[Any, Any] = {**(items or {}), **more}
        self._hash: int | None = None

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._items.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Frozen):
            return self._items == other._items
        return isinstance(other, Mapping) and self._items == dict(other)

    def put(self, key: Any, value: Any) -> "Frozen":
        """A copy with one entry set."""
        return Frozen({**self._items, key: value})

    def only(self, keys: "frozenset[Any] | set[Any]") -> "Frozen":
        """Itself or a copy, with no other keys than these."""
        if keys >= self._items.keys():
            return self
        return Frozen({key: value for key, value in self._items.items() if key in keys})

    def __repr__(self) -> str:
        return repr(self._items)


EMPTY = Frozen()
