"""Make the pictures of the explorer and the trainer in docs/pictures/.

    python scripts/make_web_pictures.py [--chromium /usr/bin/chromium]

Needs bgrace[web], Playwright and Chromium.  Look at every picture before it is kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from measure_web import served
from playwright.sync_api import Page, sync_playwright

from bgrace.web import cached_database

PICTURES: Final = Path(__file__).resolve().parent.parent / "docs" / "pictures"
RACE: Final = "?xgid=-AAAABB------------bbbaa--:0:0:1:53:0:0:0:0:10"
CARD: Final = "XGID=-ABBAB--------------bcb---:0:0:1:00:0:0:0:0:10"


def show_race(page: Page) -> None:
    page.wait_for_selector("#dice .roll")
    page.wait_for_selector("#plays .play")


def show_question(page: Page) -> None:
    memory = f'{{"cards": {{"a": {{"xgid": "{CARD}", "kind": "double", "box": 0, "due": 0}}}}, "history": []}}'
    page.evaluate("memory => localStorage.setItem('bgrace-trainer', memory)", memory)
    page.reload()
    page.click("#trainer [data-choice='0']")
    page.wait_for_selector("#trainer .judged")
    page.wait_for_selector("#trainer .counts")
    page.mouse.move(0, 0)


VIEWS: Final[dict[str, tuple[str, tuple[int, int], Literal["light", "dark"], Callable[[Page], None]]]] = {
    "explorer": (RACE, (1280, 960), "light", show_race),
    "explorer-phone": (RACE, (360, 780), "dark", show_race),
    "trainer": ("#trainer", (1280, 800), "light", show_question),
}
"""By the name of the picture: the address, the size of the window, the colours, and what is done."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    with cached_database() as db:
        file = db.path
    with served(file) as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        for name, (address, (width, height), scheme, prepare) in VIEWS.items():
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{port}/{address}")
            prepare(page)
            page.wait_for_load_state("networkidle")
            target = PICTURES / f"{name}.jpg"
            page.screenshot(path=target, type="jpeg", quality=82)
            print(f"{target.name}: {target.stat().st_size:,} bytes")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
