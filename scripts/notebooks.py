"""Run the notebooks of docs/notebooks/, and make pages of them.

\b
    python scripts/notebooks.py            # run them all; an error in a cell ends the run
    python scripts/notebooks.py --strip    # remove the output of cells from the files

The files hold no output: the site's build and the tests run them.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "docs" / "notebooks"
NOTEBOOKS: Final = tuple(sorted(FOLDER.glob("*.ipynb")))


def run(path: Path) -> NotebookNode:
    """Run a notebook in the root of the project, and return it with the output of its cells.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails.
    """
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(
        notebook,
        config=Config({"KernelManager": {"transport": "ipc"}}),  # a socket in the file system, not on the network
        kernel_name="python3",
        resources={"metadata": {"path": str(ROOT)}},
        timeout=300,
    )
    client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    return notebook


def page_of(notebook: NotebookNode) -> str:
    """Turn a notebook that has been run into Markdown.

    Raises
    ------
    ValueError
        If it has no title, no output or no picture.
    """
    page = "\n\n".join(part for cell in notebook.cells for part in _cell(cell)) + "\n"
    for name, part in {"a title": "# ", "output": 'class="cell-output"', "a picture": "data:image/svg+xml"}.items():
        if part not in page:
            raise ValueError(f"a notebook without {name}")
    return page


def _cell(cell: NotebookNode) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield cell.source
        return
    yield f"```python\n{cell.source}\n```"
    shown = "\n".join(text for output in cell.outputs if (text := _output(output)))
    if shown:
        yield f'<div class="cell-output">\n{shown}\n</div>'


def _output(output: NotebookNode) -> str:
    """Turn an output of a cell into HTML without blank lines, which would end it in Markdown."""
    data = output.get("data", {})
    if "text/html" in data:
        return _without_blank_lines(data["text/html"])
    if "image/svg+xml" in data:  # as an image, so that a style sheet in it does not change the whole page
        drawn = b64encode(data["image/svg+xml"].encode()).decode()
        return f'<img class="drawn" alt="What the cell draws" src="data:image/svg+xml;base64,{drawn}">'
    text = data.get("text/plain") or output.get("text", "")
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<pre>{_without_blank_lines(escaped)}</pre>" if text.strip() else ""


def _without_blank_lines(text: str) -> str:
    return "\n".join(line or "&#8203;" for line in text.strip("\n").splitlines())


def strip(path: Path) -> None:
    """Remove from a file the output of its cells, and the time and place of its last run."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


@click.command(help=__doc__)
@click.option("--strip", "only_strip", is_flag=True)
def main(only_strip: bool) -> None:
    for path in NOTEBOOKS:
        (strip if only_strip else run)(path)


if __name__ == "__main__":
    main()
