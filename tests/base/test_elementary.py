"""Logarithms and powers: every machine rounds ours alike, and the library uses no others."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

from helpers.command import call
from helpers.paths import ROOT

PROGRAM = r"""
#include "base/elementary.h"
#include <stdio.h>
int main(void)
{
    double x, y;
    while (scanf("%lf %lf", &x, &y) == 2)
        printf("%.17g %.17g %.17g\n", bgr_log(x), bgr_log10(x), bgr_power(x, y));
    return 0;
}
"""


def test_logarithms_and_powers_are_accurate_to_a_few_units_of_the_last_place(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text(PROGRAM, encoding="utf-8")
    flags = ["-std=c11", "-O2", "-ffp-contract=off", f"-I{ROOT / 'csrc'}"]
    call("cc", *flags, tmp_path / "x.c", "-o", tmp_path / "x")
    chance = random.Random(2)
    pairs = [(10 ** chance.uniform(-30, 30), chance.uniform(-5, 5)) for _ in range(2000)]
    pairs += [(1.0, 3.0), (2.0, 0.5), (1.0 + 2**-52, 1.0), (0.5, -1.0), (math.e, 1.0)]
    text = "".join(f"{x!r} {y!r}\n" for x, y in pairs)
    lines = call(tmp_path / "x", input=text).splitlines()
    for (x, y), line in zip(pairs, lines, strict=True):
        log, log10, power = map(float, line.split())
        assert math.isclose(log, math.log(x), rel_tol=1e-15, abs_tol=1e-18)
        assert math.isclose(log10, math.log10(x), rel_tol=1e-15, abs_tol=1e-18)
        assert math.isclose(power, x**y, rel_tol=4e-16 * (1 + abs(y * math.log(x))))


def test_the_library_does_not_call_those_of_the_system() -> None:
    """Their last bits differ from system to system, and one bit can decide between two plays."""
    calls = re.compile(r"\b(exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|erf|erfc|tgamma|lgamma)f?\(")
    for name in (ROOT / "csrc/library.txt").read_text(encoding="utf-8").split():
        code = re.sub(r"/\*.*?\*/", "", (ROOT / "csrc" / name).read_text(encoding="utf-8"), flags=re.S)
        assert not calls.findall(code), f"{name}: use those of base/elementary.h"
