"""Scripts install locked releases: every requirement of pyproject.toml, within its bounds, with hashes."""

from __future__ import annotations

import re
import tomllib
from itertools import chain

import pytest
from helpers.paths import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = SETTINGS["project"]["optional-dependencies"]
NEEDED = SETTINGS["project"]["dependencies"] + SETTINGS["build-system"]["requires"]
PROGRAMS = [ROOT / "Dockerfile", *(ROOT / "scripts").glob("*.sh"), *(ROOT / ".github" / "workflows").glob("*.yml")]


def locked(name: str) -> dict[str, str]:
    """Read a lock file: the release of each project."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    releases: dict[str, str] = {}
    for entry in entries:
        head = Requirement(entry.split("\\")[0].strip())
        (version,) = head.specifier
        assert version.operator == "=="
        assert re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry), head
        releases[canonicalize_name(head.name)] = version.version
    return releases


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("use.txt", [*NEEDED, *EXTRAS["web"], *EXTRAS["match"], *EXTRAS["review"]]),
        (
            "quick.txt",
            [*NEEDED, *(one for one in EXTRAS["test"] if one.startswith(("defusedxml", "hypothesis", "pytest")))],
        ),
        ("develop.txt", [*NEEDED, *chain.from_iterable(EXTRAS[name] for name in EXTRAS if name != "wasm")]),
        ("wasm.txt", EXTRAS["wasm"]),
        ("release.txt", [*SETTINGS["build-system"]["requires"], "ziglang", "cibuildwheel"]),
        ("lowest-build.txt", SETTINGS["build-system"]["requires"]),
        ("lowest.txt", [*SETTINGS["project"]["dependencies"], *EXTRAS["plot"], *EXTRAS["web"]]),
    ],
)
def test_every_requirement_is_locked(name: str, wanted: list[str]) -> None:
    """Within its bounds; in lowest.txt and lowest-build.txt at the lower one."""
    releases = locked(name)
    for requirement in map(Requirement, wanted):
        version = releases[canonicalize_name(requirement.name)]
        lows = [Version(one.version) for one in requirement.specifier if one.operator == ">="]
        is_right = lows == [Version(version)] if "lowest" in name else requirement.specifier.contains(version)
        assert is_right, f"{requirement}: {version} is locked; run scripts/lock.sh"


def test_scripts_install_nothing_without_hashes() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in PROGRAMS}
    commands = [
        (path.name, line)
        for path, text in texts.items()
        for line in text.replace("\\\n", " ").splitlines()
        if re.search(r"\bpip\S* (install|wheel) ", line) and not line.lstrip().startswith("#")
    ]
    assert {name for name, _ in commands} >= {"lock.sh", "lowest.sh", "test.yml", "wheels.yml"}
    commands += [("pyproject.toml", SETTINGS["tool"]["cibuildwheel"][step]) for step in ("before-build", "before-test")]
    # An assignment to a variable holds only the beginning of a command.
    loose = [(name, line) for name, line in commands if not re.search(r"--require-hashes|--no-deps|^ *\w+=\"", line)]
    assert not loose
    assert "test-requires" not in SETTINGS["tool"]["cibuildwheel"]


def test_workflows_name_actions_by_commit() -> None:
    for path in (ROOT / ".github" / "workflows").iterdir():
        actions = re.findall(r"uses: *(.*)", path.read_text(encoding="utf-8"))
        assert actions
        for action in actions:
            assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[\d.]+", action), f"{path.name}: {action}"
