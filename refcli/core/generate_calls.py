"""Python source for the fast path: charts that run charts, and what they bring back."""

from typing import TYPE_CHECKING

from refcli.core import chart as c
from refcli.core.generate_ends import effects_of, then_of, write_step
from refcli.core.generate_facts import Inner
from refcli.core.layout import At, Field, GiveUpError, Handed, Key
from refcli.core.parts import Part, exprs_of

if TYPE_CHECKING:
    from refcli.core.generate import Writer


def write_each(writer: "Writer", key: Key, node: c.EachNode, indent: int) -> None:
    """Choose the records."""
    call = writer.call
    prefix = f"{call.prefix}{_word(node.id)}"
    at = writer.layout.list_of(call, node.records)
    writer.put(indent, f"{prefix}L = {writer.slot(at)}")
    record = f"{prefix}R"
    if node.when is None:
        writer.put(indent, f"{prefix}Q = list({prefix}L)")
    else:
        with writer.part_of_line(), writer.before(Inner(record, at)):
            test = writer.code(node.when)
        writer.put(indent, f"{prefix}Q = [{record} for {record} in {prefix}L if {test}]")
    writer.close(indent, node)
    writer.log(indent, node, value=f"len({prefix}Q)")
    if node.name:
        writer.put(indent, f"{prefix}T = {{}}")
    writer.overruled(call.runs[node.id], indent)
    writer.go((key[0], f"{node.id}+"), indent, key)


def write_next(writer: "Writer", key: Key, node: c.EachNode, indent: int) -> None:
    """The next record is due, or all are done."""
    call = writer.call
    run = call.runs[node.id]
    prefix = f"{call.prefix}{_word(node.id)}"
    writer.put(indent, f"if not {prefix}Q:")
    with writer.maybe():
        if node.name:
            writer.put(indent + 1, f"{writer.made(call, node.name)} = {prefix}T")
        writer.go((key[0], node.go.cases[0].target), indent + 1, key)
    writer.here = writer.call = call
    writer.put(indent, "else:")
    writer.put(indent + 1, f"{run.record} = {prefix}Q.pop(0)")
    if writer.trail:
        owner = writer.constant(writer.layout.records(run).fact)
        place = f"{run.record}['place']"
        label = f"record_name({owner}, {place} - 1, {run.record})"
        writer.log(indent + 1, node, to=run.chart.id, value=place, kind="'record'", label=label, notes=False)
    writer.begin(run, indent + 1)
    writer.go((run.index, run.chart.start), indent + 1, key)


def write_return(writer: "Writer", key: Key, indent: int) -> None:
    """A chart that was run comes to an outcome: what it changed is changed, its result is the caller's."""
    run = writer.call
    caller, via = run.up, run.via
    if caller is None or via is None:
        raise GiveUpError
    node = run.chart.outcomes[key[1]]
    prefix = f"{run.prefix}{_word(node.id)}"
    effects = effects_of(writer, node, indent)
    values = {"outcome": repr(node.id)}
    for kind, made in (("g", node.gives), ("x", node.changes)):
        for name, expr in made.items():
            values[name] = f"{prefix}{kind}P{name}"
            writer.put(indent, f"{values[name]} = {writer.code(expr)}")
    says = writer.value(indent, writer.text(node.says) if writer.trail else "", node.says.exprs)
    if any(when is not None for when, _ in node.then):
        writer.put(indent, then_of(writer, node))
    if writer.rules and effects:
        writer.put(indent, "effects += e")
    if writer.trail:
        write_step(writer, node, says, "e" if effects else "()", indent)
    else:
        writer.tell_now(indent, node.note)
    for name in node.changes:
        writer.put(indent, _changed(writer, writer.layout.locate(run, name), name, values[name]))
    writer.here = writer.call = caller
    target = writer.layout.after(via, node.id)
    if isinstance(via, c.EachNode):
        _keep(writer, key, via, values, indent)
    elif via.name:
        for part in sorted(_parts_read(caller.chart, via.name) & values.keys()):
            writer.put(indent, f"{writer.part(via.name, part)} = {values[part]}")
    if target is None:
        writer.put(indent, "raise GiveUp")
    else:
        writer.go((caller.index, target), indent, key)


def _changed(writer: "Writer", where: At | Handed | Field, name: str, value: str) -> str:
    """Source that changes a fact where it is kept."""
    match where:
        case At():
            writer.slots.setdefault(where.key, where)
            return f"{where.var} = {value}"
        case Handed(call=call, name=handed):
            return f"{call.prefix}h_{handed} = {value}"
        case Field(call=call):
            return f"x.change({call.record}, {name!r}, {value})"


def _keep(writer: "Writer", key: Key, via: c.EachNode, values: dict[str, str], indent: int) -> None:
    """Keep a record's result as far as it is read; stop early where `until` says so."""
    caller = writer.call
    prefix = f"{caller.prefix}{_word(via.id)}"
    run = caller.runs[via.id]
    if via.name:
        kept = "".join(f"{values.get(part, 'None')}, " for part in writer.kept_parts(caller, via.name))
        writer.put(indent, f"a = ({kept})")
        writer.put(indent, f"{prefix}T[a] = {prefix}T.get(a, 0) + 1")
    if via.until is not None:
        inner = (Inner(names=values), Inner(run.record, writer.layout.records(run)))
        with writer.inside(caller, inner, silent=True):
            writer.put(indent, f"if {writer.code(via.until)}: {prefix}Q = []")


def _parts_read(chart: c.Chart, name: str) -> set[str]:
    """The parts of a result that a chart reads."""
    parts: tuple[Part, ...] = (*chart.nodes.values(), *chart.outcomes.values())
    return {field for part in parts for expr in exprs_of(part) for of, field in expr.fields if of == name}


def _word(name: str) -> str:
    """A node's name as part of a variable's."""
    return name.replace("-", "_") + "X"
