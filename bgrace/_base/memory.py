"""How much memory there is, how much may be used, and sizes in words."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from bgrace._base.limits import checked_memory


def memory_limit(memory_bytes: int | None = None) -> int:
    """Return how much memory to use: as much as is given, or three quarters of the machine's."""
    return machine_bytes() * 3 // 4 if memory_bytes is None else checked_memory(memory_bytes)


def memory_text(n_bytes: int) -> str:
    """Write a size in memory with three digits, in powers of 1024; files have theirs in powers of 1000.

    Examples
    --------
    >>> memory_text(8 << 30), memory_text(70 << 30), memory_text(500_000), memory_text(0), memory_text(1)
    ('8.00 GiB', '70.0 GiB', '488 KiB', '0 bytes', '1 byte')
    """
    for unit, name in ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if n_bytes >= unit:
            size = n_bytes / unit
            return f"{size:,.{2 if size < 10 else 1 if size < 100 else 0}f} {name}"
    return f"{n_bytes} byte{'' if n_bytes == 1 else 's'}"


def allowed_text(n_bytes: int) -> str:
    """Say how much memory may be used, for messages.

    Examples
    --------
    >>> allowed_text(8 << 30), allowed_text(1)
    ('8.00 GiB are allowed', '1 byte is allowed')
    """
    return f"{memory_text(n_bytes)} {'is' if n_bytes == 1 else 'are'} allowed"


def machine_bytes() -> int:
    """Memory of the machine, or of the container that this process is confined to."""
    limits = [2**63]
    with suppress(AttributeError, OSError, ValueError):
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):  # "max" where there is no limit
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return min(limits)
