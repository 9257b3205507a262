"""``python -m bgrace`` is the ``bgrace`` command."""

from bgrace.cli import main

if __name__ == "__main__":
    main()
