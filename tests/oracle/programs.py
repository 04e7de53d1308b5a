"""Small random functions with every construct that decides where control goes, and raise sites among them."""

from __future__ import annotations

import random


class Writer:
    """Writes one random function. Its tests are all distinct, so that nothing is known but the control flow."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.budget = size
        self.tests = 0
        self.names = 0
        self.lines: list[str] = []
        self.sites = 0

    def write(self) -> str:
        """Give the source of a module with one function."""
        self.lines = [
            "import contextlib, sys",
            "from typing import NoReturn",
            "",
            "def never() -> NoReturn:",
            "    raise KeyError",
            "",
        ]
        self.lines.append("def f(a, b, xs):")
        self.block(1, loop=False)
        self.line(1, self.site())
        return "\n".join(self.lines) + "\n"

    def line(self, depth: int, text: str) -> None:
        """Write one line."""
        self.lines.append("    " * depth + text)

    def test(self) -> str:
        """Make a test; some read names that may be bound again."""
        self.tests += 1
        return self.random.choice(
            [f"t{self.tests}()", f"a == {self.tests}", f"b.x > {self.tests}", f"not xs[{self.tests}]", f"t{self.tests}"]
        )

    def site(self) -> str:
        """Make a site."""
        self.sites += 1
        return f'raise ValueError("site {self.sites}")'

    def simple(self, *, loop: bool) -> str:
        """Make a simple statement."""
        choices = ["use(a)", "a = new()", "b.x = new()", "b = new()", "xs.append(1)", "use(b)", "pass", "b.y = 1"]
        leaves = ["return", "return 1", "raise KeyError('k')", "sys.exit(1)", "never()", "raise Other()"]
        if loop:
            leaves += ["break", "continue", "break", "continue"]
        pick = self.random.random()
        if pick < 0.2 and self.sites < 5:
            return self.site()
        return self.random.choice(leaves if pick < 0.45 else choices)

    def block(self, depth: int, *, loop: bool, depth_limit: int = 5) -> None:
        """Write a block of one to four statements."""
        for _n in range(self.random.randint(1, 3)):
            if self.budget <= 0 or depth > depth_limit:
                break
            self.budget -= 1
            self.compound(depth, loop=loop) if self.random.random() < 0.65 else self.line(depth, self.simple(loop=loop))
        self.line(depth, self.simple(loop=loop) if self.random.random() < 0.5 else "pass")

    def compound(self, depth: int, *, loop: bool) -> None:
        """Write a compound statement."""
        kind = self.random.choice(
            [
                "if",
                "if",
                "if",
                "elif",
                "else",
                "for",
                "while",
                "try",
                "with",
                "match",
                "assert",
                "true",
                "finally",
                "nested",
            ]
        )
        getattr(self, f"write_{kind}")(depth, loop)

    def write_if(self, depth: int, loop: bool) -> None:
        self.line(depth, f"if {self.test()}:")
        self.block(depth + 1, loop=loop)

    def write_else(self, depth: int, loop: bool) -> None:
        self.write_if(depth, loop)
        self.line(depth, "else:")
        self.block(depth + 1, loop=loop)

    def write_elif(self, depth: int, loop: bool) -> None:
        self.write_if(depth, loop)
        self.line(depth, f"elif {self.test()}:")
        self.block(depth + 1, loop=loop)
        if self.random.random() < 0.5:
            self.line(depth, "else:")
            self.block(depth + 1, loop=loop)

    def write_for(self, depth: int, loop: bool) -> None:
        self.names += 1
        self.line(depth, f"for v{self.names} in items{self.names}():")
        self.block(depth + 1, loop=True)
        self.loop_else(depth, loop)

    def write_while(self, depth: int, loop: bool) -> None:
        self.line(depth, f"while {self.test()}:")
        self.block(depth + 1, loop=True)
        self.loop_else(depth, loop)

    def write_true(self, depth: int, loop: bool) -> None:
        self.line(depth, "while True:")
        self.block(depth + 1, loop=True)
        self.line(depth + 1, f"if {self.test()}:")
        self.line(depth + 2, "break")

    def loop_else(self, depth: int, loop: bool) -> None:
        """Write the `else` of a loop now and then."""
        if self.random.random() < 0.3:
            self.line(depth, "else:")
            self.block(depth + 1, loop=loop)

    def write_try(self, depth: int, loop: bool) -> None:
        self.line(depth, "try:")
        self.block(depth + 1, loop=loop)
        for name in self.random.choice(
            [
                ["KeyError"],
                ["Exception"],
                ["KeyError", "Other"],
                ["ValueError"],
                [""],
                ["(KeyError, Other)"],
                ["Other as e"],
            ]
        ):
            self.line(depth, f"except {name}:" if name else "except:")
            self.block(depth + 1, loop=loop)
        if self.random.random() < 0.3:
            self.line(depth, "else:")
            self.block(depth + 1, loop=loop)
        if self.random.random() < 0.2:
            self.line(depth, "finally:")
            self.line(depth + 1, "use(b)")

    def write_finally(self, depth: int, loop: bool) -> None:
        self.line(depth, "try:")
        self.block(depth + 1, loop=loop)
        self.line(depth, "finally:")
        if self.random.random() < 0.5:
            self.block(depth + 1, loop=False)
        else:
            self.line(depth + 1, "use(a)")

    def write_with(self, depth: int, loop: bool) -> None:
        self.line(depth, self.random.choice(["with cm():", "with cm() as a:", "with contextlib.suppress(KeyError):"]))
        self.block(depth + 1, loop=loop)

    def write_match(self, depth: int, loop: bool) -> None:
        self.tests += 1
        self.line(depth, f"match subject{self.tests}:")
        for n in range(self.random.randint(1, 3)):
            guard = f" if {self.test()}" if self.random.random() < 0.3 else ""
            self.line(depth + 1, f"case {n}{guard}:")
            self.block(depth + 2, loop=loop)
        if self.random.random() < 0.5:
            self.line(depth + 1, "case _:")
            self.block(depth + 2, loop=loop)

    def write_assert(self, depth: int, loop: bool) -> None:
        self.line(depth, f"assert {self.test()}")

    def write_nested(self, depth: int, loop: bool) -> None:
        self.line(depth, "def inner():")
        self.line(depth + 1, "return")
