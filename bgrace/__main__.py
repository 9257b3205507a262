"""The ``bgrace`` command, which is also ``python -m bgrace``."""

import gc

try:
    from bgrace._base.interrupts import stop_quietly
except KeyboardInterrupt:  # pressed while Python started, but raised only here
    import os

    os.write(2, b"bgrace: stopped\n")
    os._exit(1)


def main() -> None:
    """Run the command; Ctrl-C while it is being loaded ends it in one line, as it does later."""
    stop_quietly()
    gc.disable()  # until the command is loaded: loading makes no garbage
    from bgrace.cli import main as run  # noqa: PLC0415  (takes a while)

    run()


if __name__ == "__main__":
    main()
