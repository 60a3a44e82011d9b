"""Frozen records, as cheap to define as they are to read.

The standard library's dataclasses write and compile code for every class; with some sixty classes that is half of
the time from Enter to the first question. A `Struct` reads its annotations instead. Type checkers see a frozen
dataclass.
"""

from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T", bound="Struct")


@dataclass_transform(frozen_default=True)
class Struct:
    """A frozen record with the fields its class names, in order; values after `=` are defaults.

    Equal when of one class with equal fields, `_uncompared` ones left out; with `eq=False` only to itself.
    `kw_only` is for type checkers: fields without a default may then follow those with one.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _compared: ClassVar[tuple[str, ...]] = ()
    _uncompared: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, *, eq: bool = True, kw_only: bool = False) -> None:
        own = [
            name
            for name, kind in vars(cls).get("__annotations__", {}).items()
            if not name.startswith("_") and getattr(kind, "__origin__", None) is not ClassVar
        ]
        cls._fields = (*(name for name in cls._fields if name not in own), *own)
        cls._defaults = cls._defaults | {name: cls.__dict__[name] for name in own if name in cls.__dict__}
        cls._compared = tuple(name for name in cls._fields if name not in cls._uncompared)
        if not eq:
            cls.__eq__ = object.__eq__  # type: ignore[method-assign]
            cls.__hash__ = object.__hash__  # type: ignore[method-assign]

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = self._fields
        mine = self.__dict__
        mine.update(self._defaults)
        mine.update(zip(fields, values, strict=False))
        mine.update(named)
        if len(mine) != len(fields) or len(values) > len(fields):
            wrong = sorted(mine.keys() ^ set(fields)) or f"{len(values)} values for {len(fields)} fields"
            raise TypeError(f"{type(self).__name__}: {wrong}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        mine, its = self.__dict__, other.__dict__
        return mine is its or all(mine[name] == its[name] for name in self._compared)

    def __hash__(self) -> int:
        mine = self.__dict__
        return hash((self.__class__, *(mine[name] for name in self._compared)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={self.__dict__[name]!r}' for name in self._fields)})"


def replace(struct: T, **changes: Any) -> T:
    """A copy with some fields changed."""
    mine = struct.__dict__
    return type(struct)(**{**{name: mine[name] for name in struct._fields}, **changes})
