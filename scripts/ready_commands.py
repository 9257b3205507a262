"""Commands of bgrace that have been loaded: for scripts that run thousands of them.

Most of the life of a short command goes into loading Python, NumPy and HDF5.  A process that has loaded all of that
forks for each command, and the child does what ``python -m bgrace`` does, from its first line to the interpreter's end.
Only on systems that have fork.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

__all__ = ["ReadyCommand", "ReadyCommands"]

_MOST_BYTES = 1 << 16
"""Of an order."""


class ReadyCommand:
    """A command that runs; it ends before there is another."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.pid = self._receive(None)

    def _receive(self, timeout: float | None) -> int:
        self._connection.settimeout(timeout)
        text = b""
        while not text.endswith(b"\n"):
            byte = self._connection.recv(1)
            if not byte:
                raise RuntimeError("the process that starts commands has ended")
            text += byte
            self._connection.settimeout(None)
        return int(text)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and give its exit status: minus a signal's number if one killed it.

        Parameters
        ----------
        timeout : float, optional
            Seconds.

        Raises
        ------
        subprocess.TimeoutExpired
            If it goes on.
        """
        try:
            return self._receive(timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired("bgrace", timeout or 0.0) from None

    def send_signal(self, number: int) -> None:
        """Send a signal; the process is there, at least as a zombie, until the next command begins."""
        os.kill(self.pid, number)


class ReadyCommands:
    """A process that has loaded the commands that make files, and starts them.

    Parameters
    ----------
    environment : mapping
        Of all commands.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._connection, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env=environment,
                pass_fds=[theirs.fileno()],
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C in a terminal is for whoever asked, and not for commands
            )

    def start(self, arguments: tuple[str, ...], folder: Path, errors: IO[str]) -> ReadyCommand:
        """Begin a command.

        Parameters
        ----------
        arguments : tuple of str
            Of the command.
        folder : Path
            Where it runs.
        errors : file
            Takes what it says on standard error; it says the rest to nobody.
        """
        order = json.dumps([str(folder), *arguments]).encode()
        if len(order) > _MOST_BYTES:
            raise ValueError(f"{len(order):,} bytes of arguments, at most {_MOST_BYTES:,}")
        socket.send_fds(self._connection, [order], [errors.fileno()])
        return ReadyCommand(self._connection)

    def close(self) -> None:
        """End the process."""
        self._connection.close()
        self._process.wait()


def _serve(connection: socket.socket) -> list[str] | None:
    """Fork for each order until there are no more; in a child, give the command's arguments."""
    pid = 0
    while True:
        order, errors, _, _ = socket.recv_fds(connection, _MOST_BYTES, 1)
        if pid:
            os.waitpid(pid, 0)  # a zombie till now: no signal that was meant for it could reach another process
        if not order:
            return None
        pid = os.fork()
        if pid == 0:
            connection.close()
            folder, *arguments = json.loads(order)
            os.chdir(folder)
            os.dup2(errors[0], 2)
            os.close(errors[0])
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
            return list(arguments)
        os.close(errors[0])
        connection.sendall(f"{pid}\n".encode())
        end = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert end is not None
        connection.sendall(f"{end.si_status if end.si_code == os.CLD_EXITED else -end.si_status}\n".encode())


def _main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal, whatever this was started from
    import bgrace.cli.build  # noqa: PLC0415
    import bgrace.cli.pack  # noqa: F401, PLC0415

    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # until a child has its standard error
    arguments = _serve(socket.socket(fileno=int(sys.argv[1])))
    if arguments is not None:
        sys.argv = ["bgrace", *arguments]
        runpy.run_module("bgrace", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
