"""One site ready to be explained: its clauses sorted by what they are for."""

from __future__ import annotations

import ast
import re

from extractor.excerpt import attempt, got, looked_up
from extractor.explain.clauses import Clause, Reader, key_of, key_text
from extractor.explain.phrases import joined
from extractor.explain.values import holds
from extractor.explain.words import Wording
from extractor.expression import literal, nodes_of, parse
from extractor.model.linked import Input, LinkedSite, Sibling

_DECIDING = frozenset({"if", "else", "match", "except", "loop-exhausted", "assert", "while"})
_USER_KINDS = frozenset({"option", "environment", "request-field", "config-field", "platform", "package"})
_WORD = re.compile(r"[A-Za-z_]\w+")


class Case:
    """What the fields of one record are made from."""

    def __init__(self, linked: LinkedSite) -> None:
        """Read the guards."""
        self.linked = linked
        self.site = linked.site
        self.parameters = frozenset(linked.context.parameters)
        self.context = linked.context
        self.reader = Reader(linked.context)
        self.words = Wording(self.reader)
        self._inputs: dict[int, tuple[list[Input], Clause]] = {}
        self.variants = linked.message.variants
        self.message = "{}".join(self.variants[0].texts)
        self.printed = {p.expression for variant in self.variants for p in variant.placeholders}
        self.words.tries = {
            g.line: tried
            for g in linked.site.guards
            if g.kind == "except"
            for tried in [attempt(linked.site, g.line)]
            if tried
        }
        self.clauses = _without_implied([self._as_lookup(c) for c in self.reader.clauses(linked.site.guards)])
        self.primary = self._primary()
        rest = [c for c in self.clauses if c is not self.primary and c.kind != "running"]
        checks = {sibling.condition for sibling in linked.context.siblings}
        refused = {guard.line for guard in linked.site.guards if guard.kind == "early-exit" and guard.test in checks}
        refused |= set(linked.context.refusals)
        # An exit that raises is a check of its own; one that returns decides, like a block around, whether this check
        # is made.
        gates = [c for c in rest if c.origin == "early-exit" and c.line not in refused and self.concerns_user(c)]
        self.outer = [c for c in rest if c.origin in _DECIDING or c in gates]
        """Conditions under which the check is made."""
        self.exits = (
            [c for c in rest if c.origin == "early-exit" and c.line not in refused] if self.primary is None else []
        )
        """Where nothing else decides: the exits before the site, none of which was taken."""
        self.passed = [c for c in rest if c not in self.outer]
        """Earlier checks that were passed."""
        self.loops = [c for c in self.clauses if c.kind == "running" and c is not self.primary]
        """Loops around."""

    @property
    def function(self) -> str:
        """The function around the site, as code."""
        return "module level" if self.site.qualname == "<module>" else f"`{self.site.qualname}`"

    def _as_lookup(self, clause: Clause) -> Clause:
        """Read a failed look-up in a table whose keys are known as what it is: the key is none of them."""
        pair = None
        if clause.kind == "caught" and any(name in clause.text for name in ("KeyError", "ValueError", "LookupError")):
            pair = looked_up(self.words.tries.get(clause.line, ""))
        elif clause.kind in ("none", "false") and clause.subject is not None:
            meaning = self.reader.meanings.get(key_text(clause.subject))
            pair = got(parse(meaning.value)) if meaning is not None else got(clause.subject)
        if pair is None:
            return clause
        known = self.reader.values.get(key_of(pair[0]))
        members = [parse(member) for member in known.members] if known is not None else []
        if not members or any(m is None or not literal(m)[0] for m in members):
            return clause
        return Clause("notin", pair[1], tuple(m for m in members if m is not None), (), "", clause.origin, clause.line)

    def _primary(self) -> Clause | None:
        """Return the clause that the message is about.

        The innermost, unless that is an exit that merely was not taken.
        """
        if not self.clauses:
            return None
        last = self.clauses[-1]
        if last.kind == "some" and last.origin in _DECIDING:
            # "given" only limits what another test of the same value demands.
            same = [
                c
                for c in self.clauses
                if c.kind in ("nota", "notin", "ne") and key_of(c.subject) == key_of(last.subject)
            ]
            return same[-1] if same else last
        if last.origin in _DECIDING:
            return last
        exits = [c for c in self.clauses if c.origin == "early-exit"]
        told = [c for c in exits if self._told(c)]
        if told:
            return told[-1]
        if len(exits) == len(self.clauses) and exits[-1].kind != "notin":
            return None  # reached because no exit before it was taken, none of which the message is about
        inner = [c for c in self.clauses if c.origin in _DECIDING]
        if inner and not (exits and exits[-1].line > inner[-1].line and exits[-1].kind == "notin"):
            return inner[-1]
        return exits[-1] if exits else last

    def _told(self, clause: Clause) -> bool:
        """Whether the message prints or names what the clause tests."""
        if clause.subject is None:
            return False
        text = key_of(clause.subject)
        if text in self.printed:
            return True
        names = {
            n.id if isinstance(n, ast.Name) else n.attr
            for n in nodes_of(clause.subject)
            if isinstance(n, ast.Name | ast.Attribute)
        }
        return clause.kind == "notin" and bool(names & set(_WORD.findall(self.message)))

    def also_refused(self, sibling: Sibling) -> bool:
        """Whether another site of the function is decided.

        Where this one is reached, by its innermost condition alone.
        """
        own = {(guard.test, guard.holds) for guard in self.site.guards if not guard.stale}
        return all((guard.test, guard.holds) in own for guard in sibling.guards)

    def told(self, guards: tuple[tuple[str, bool], ...], inputs: tuple[Input, ...]) -> str:
        """Say the tests known at a call or a write of another function; empty if there are none."""
        reader = self.reader.elsewhere(inputs)
        words = Wording(reader)
        nodes = [(parse(text), truth) for text, truth in guards]
        states = [words.state(reader.read(node, truth)) for node, truth in nodes if node is not None]
        return joined(list(dict.fromkeys(states)), "and") if states else ""

    def inputs_of(self, clause: Clause | None) -> list[Input]:
        """Return the inputs that a clause reads, in order."""
        if clause is None or not self.reader.inputs:
            return []
        kept = self._inputs.get(id(clause))
        if kept is None:
            found: dict[str, Input] = {}
            for one in _leaves(clause):
                for node in (one.subject, *one.objects):
                    for known in self.reader.inputs_in(node) if node is not None else ():
                        found.setdefault(known.name, known)
            kept = self._inputs[id(clause)] = (list(found.values()), clause)
        return kept[0]

    def concerns_user(self, clause: Clause) -> bool:
        """Whether a clause tests something that a user sets or has."""
        return any(one.kind in _USER_KINDS for one in self.inputs_of(clause))


def _without_implied(clauses: list[Clause]) -> list[Clause]:
    """Leave out what another clause says already: `x != a` beside `x == b`, and repetitions."""
    settled = {
        key_of(c.subject): literal(c.objects[0])[1]
        for c in clauses
        if c.kind == "eq" and c.subject is not None and literal(c.objects[0])[0]
    }
    members = {
        key_of(c.subject): key_of(c.objects[0])
        for c in clauses
        if c.kind == "eq" and c.subject is not None and _is_member(c.objects[0])
    }
    found: list[Clause] = []
    said: set[tuple[str, str, str]] = set()
    for place, clause in enumerate(clauses):
        key = (clause.kind, key_of(clause.subject), ",".join(map(key_of, clause.objects)))
        if clause.subject is not None and not clause.parts and place < len(clauses) - 1:
            value = settled.get(key_of(clause.subject))
            member = members.get(key_of(clause.subject))
            if member and clause.kind == "ne" and _is_member(clause.objects[0]) and key_of(clause.objects[0]) != member:
                continue
            implied = value is not None and clause.kind != "eq" and holds(clause, key_of(clause.subject), value) is True
            if implied or key in said:
                continue
        said.add(key)
        found.append(clause)
    return found


def _is_member(node: ast.expr) -> bool:
    """Whether an expression is a member of an enum, by its spelling: two of them are never equal."""
    return isinstance(node, ast.Attribute) and node.attr.isupper() and key_of(node.value)[:1].isupper()


def _leaves(clause: Clause | None) -> list[Clause]:
    if clause is None:
        return []
    if clause.parts:
        inner = [leaf for part in clause.parts for leaf in _leaves(part)]
        return [*inner, clause] if clause.kind in ("exists", "every") else inner
    return [clause]


def leaves(clause: Clause | None) -> list[Clause]:
    """Return the simple clauses in a clause."""
    return [leaf for leaf in _leaves(clause) if leaf.kind not in ("exists", "every")]
