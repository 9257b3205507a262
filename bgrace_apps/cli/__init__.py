"""Commands of the applications; `bgrace.cli.COMMANDS` lists them."""
