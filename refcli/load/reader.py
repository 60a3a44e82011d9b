"""YAML text to marked tree. The only file that knows the YAML library.

Built from the parser's events, which are faster than composed nodes and show what those hide: aliases, anchors,
tags, how deep a value stands and whether inside a one-line `{…}`. What readers of YAML disagree about, or what would
silently mean something else than it looks like, is refused.
"""

import re
from typing import Any

import yaml

from refcli.core.place import Place
from refcli.core.problem import Code, Problem
from refcli.load.report import Report, brief
from refcli.load.tree import Entries, Items, Refused, Scalar, Source, Tree
from refcli.load.yaml_errors import Trouble, reword

MAX_BYTES = 512 * 1024
"""The largest chart file; the longest real one has a tenth of that."""
MAX_DEPTH = 24
"""How deep lists and mappings may stand in each other."""
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
"""Characters that are not seen, move the cursor, or turn the direction of writing."""
_STRANGE_INDENT = re.compile("^ *([\u00a0\u2000-\u200a\u202f])", re.MULTILINE)
_MARKS = re.compile(r"(?:[&!]\S*\s*)+")
_UNSURE = re.compile(r"[?{}\[\]]")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_START_MAP, _START_LIST = yaml.MappingStartEvent, yaml.SequenceStartEvent
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


def decode(data: bytes, file: str, report: Report) -> Source | None:
    """The text of a file, line ends made one kind; None where it is too large or not text."""
    if len(data) > MAX_BYTES:
        what = f"the file has more than {MAX_BYTES // 1024} KB"
        report.put(Problem(Code.TOO_LARGE, Place(file), what, mend="split it into several charts", width=0))
        return None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        before = data[data.rfind(b"\n", 0, fault.start) + 1 : fault.start].decode("utf-8", "replace")
        place = Place(file, line, len(before.removeprefix("\ufeff")) + 1)
        mend = "save the file as UTF-8"
        report.put(Problem(Code.UNREADABLE, place, "the file is not UTF-8 text", mend=mend, width=0))
        return None
    if text.isascii() and text.isprintable():
        return Source(file, text)
    if hidden := HIDDEN.search(text):
        at = hidden.start()
        place = Place(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
        what = f"the file holds the control character U+{ord(hidden[0]):04X}"
        report.put(Problem(Code.UNREADABLE, place, what, mend="delete it, or save the file as UTF-8 text"))
        return None
    if strange := _STRANGE_INDENT.search(text):
        at = strange.start(1)
        place = Place(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
        what = f"this line is indented with the sign U+{ord(strange[1]):04X}, which is no plain space"
        report.put(Problem(Code.YAML, place, what, mend="indent with plain spaces"))
        return None
    return Source(file, text)


def read_tree(source: Source, report: Report) -> Entries | None:
    """The marked tree of a file; None where it is unreadable or no mapping. Everything wrong is reported."""
    builder = _Builder(source, report)
    try:
        builder.build()
    except yaml.MarkedYAMLError as fault:
        problem = reword(Trouble(fault.context, fault.problem, fault.context_mark, fault.problem_mark), source)
        report.drop_from(problem.place.line)
        report.put(problem)
        return None
    except (yaml.YAMLError, _StopError) as fault:
        if not isinstance(fault, _StopError):
            what = f"this is not readable YAML: {brief(str(fault), 120)}"
            report.put(Problem(Code.YAML, Place(source.file), what, width=0))
        return None
    root = builder.root
    if isinstance(root, Entries):
        return root
    if root is None or (isinstance(root, Scalar) and not root.text):
        report.put(Problem(Code.YAML, Place(source.file), "the file is empty", width=0))
    elif not isinstance(root, Refused):
        what = f"the file must be a mapping of `key: value` lines, this is {root.said}"
        report.add(Code.YAML, root, what)
    return None


class _StopError(Exception):
    """Reading cannot go on; the reason has been reported."""


class _Builder:
    """Builds one tree from the events of one file."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source = source
        self.report = report
        self.root: Tree | None = None
        self.stack: list[Items | Entries] = []

    def build(self) -> None:
        """Take every event."""
        loader = _LOADER(self.source.text)
        try:
            self.take_all(loader.get_event)
        finally:
            loader.dispose()

    def take_all(self, get_event: Any) -> None:
        source, stack = self.source, self.stack
        scalar = yaml.ScalarEvent
        while True:
            event = get_event()
            kind = type(event)
            if kind is scalar:
                if event.anchor is not None or event.tag is not None:
                    self.refuse_marks(event)
                node = Scalar(source, event.value, not event.style, event.start_mark, event.end_mark)
                self.put(node if node.text.isprintable() else self.checked(node))
            elif kind is _START_MAP or kind is _START_LIST:
                self.open(event, kind is _START_MAP)
            elif kind in _ENDS:
                stack.pop()
            elif kind is yaml.AliasEvent:
                self.refuse(event, "alias", f"*{event.anchor}", "write the value out here")
                self.put(Refused(source, event.start_mark))
            elif kind is yaml.DocumentStartEvent:
                self.start_document(event)
            elif kind is yaml.StreamEndEvent:
                return

    def start_document(self, event: Any) -> None:
        if self.root is not None:
            mark = event.start_mark
            what = "a second document starts here: one file is one chart"
            self.report.put(Problem(Code.YAML, self.source.place(mark), what, mend="put it into a file of its own"))
            raise _StopError

    def open(self, event: Any, is_map: bool) -> None:
        """A list or mapping begins."""
        if event.anchor is not None or event.tag is not None:
            self.refuse_marks(event)
        make = Entries if is_map else Items
        node = make(self.source, event.start_mark, event.flow_style)
        self.put(node)
        self.stack.append(node)
        if len(self.stack) > MAX_DEPTH:
            what = f"lists and mappings stand in each other more than {MAX_DEPTH} deep"
            self.report.add(Code.TOO_LARGE, node, what)
            raise _StopError

    def put(self, node: Tree) -> None:
        """Hang a value or key onto what is open."""
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        if isinstance(node, Scalar) and node.plain and (not node.text or parent.flow):
            node = self.plain(node, parent)
        if isinstance(parent, Items):
            parent.parts.append(node)
        elif parent.key is None:
            parent.key = self.key(node, parent)
        else:
            key = parent.key
            parent.key = None
            if key.text and key.text not in parent.pairs:
                parent.pairs[key.text] = (key, node)

    def key(self, node: Tree, parent: Entries) -> Scalar:
        """A mapping's next key."""
        if not isinstance(node, Scalar):
            if not isinstance(node, Refused):
                self.report.add(Code.YAML, node, f"a key must be a single word, this is {node.said}")
            return Scalar(self.source, "", False, node.start, node.start)
        if not node.text and not node.plain:
            self.report.add(Code.WRONG_SHAPE, node, "a key is empty")
        elif node.text == "<<" and node.plain:
            what, mend = "the merge key '<<' is refused", "write the values out here"
            self.report.add(Code.ALIAS, node, what, mend=mend)
        elif node.text in parent.pairs and node.text:
            first = parent.pairs[node.text][0].place.line
            what = f"'{brief(node.text)}' stands twice in one mapping"
            self.report.add(Code.DUPLICATE_KEY, node, what, f"the first is on line {first}", "delete or rename one")
        return node

    def plain(self, node: Scalar, parent: Items | Entries) -> Tree:
        """An unquoted text: refused where it is empty, or where readers of YAML disagree."""
        if not node.text:
            return self.empty(node, parent)
        if parent.flow and (sign := _UNSURE.search(node.text)):
            what = f"an unquoted text inside one-line {{…}} or […] may not hold '{sign[0]}': readers of YAML disagree"
            self.report.add(Code.SWALLOWED, node, what, mend=quoted(node))
        return node

    def empty(self, node: Scalar, parent: Items | Entries) -> Tree:
        """Nothing where a value belongs."""
        report, refused = self.report, Refused(self.source, node.start)
        if isinstance(parent, Items):
            what = "this item of the list is empty"
            report.add(Code.WRONG_SHAPE, node, what, mend="write something behind it, or delete it")
        elif parent.key is None:
            report.add(Code.WRONG_SHAPE, node, "a key is missing before ':'")
        elif parent.key.text:
            self.valueless(parent.key, parent)
        return refused

    def valueless(self, key: Scalar, parent: Entries) -> None:
        """A key with nothing behind it; what a comma cut off before it is not looked at any more."""
        what = f"'{brief(key.text)}' has no value"
        if not parent.flow:
            self.report.add(Code.WRONG_SHAPE, key, what, mend="write one behind the colon, or delete the line")
        elif ":" in key.text:
            self.report.add(Code.SWALLOWED, key, f"{what}: a colon needs a space behind it")
        else:
            what += ": inside one-line {…} a comma ends the text before it"
            self.report.add(Code.SWALLOWED, key, what, mend="quote the text that holds the comma")
            word = next(reversed(parent.pairs), None)
            if word is not None and isinstance(before := parent.pairs[word][1], Scalar) and before.plain:
                parent.pairs[word] = parent.pairs[word][0], Refused(self.source, before.start)

    def checked(self, node: Scalar) -> Tree:
        """A text with unprintable characters: line breaks are fine, what an escape smuggled in is not."""
        if hidden := HIDDEN.search(node.text):
            what = f"this text holds the control character U+{ord(hidden[0]):04X}"
            self.report.add(Code.UNREADABLE, node, what, mend="delete its escape")
            return Refused(self.source, node.start)
        return node

    def refuse_marks(self, event: Any) -> None:
        """Anchors and tags."""
        found = _MARKS.match(self.source.text, event.start_mark.index)
        for mark in found[0].split() if found else ():
            if mark.startswith("&"):
                self.refuse(event, "anchor", mark, "delete it, and write the value out where it is used")
            else:
                self.refuse(event, "tag", mark, "delete it: the language knows what each value is")

    def refuse(self, event: Any, kind: str, mark: str, mend: str) -> None:
        """A mark of YAML that charts do not have."""
        what = f"the {kind} '{brief(mark)}' is refused"
        place = self.source.place(event.start_mark)
        self.report.put(Problem(Code.ALIAS, place, what, mend=mend, width=len(mark)))


def quoted(node: Scalar) -> str:
    """How to quote a text, as a way to mend it."""
    text = node.text.replace("'", "''")
    return f"quote it: '{text}'" if len(text) < 60 and "\n" not in text else "quote it"
