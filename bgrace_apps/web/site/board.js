/**
 * The board: drawn as SVG, edited by mouse, touch and keys.
 *
 * <bg-board> shows a race.  It sends "edit" (detail: {mine, theirs}) when checkers were set, "cube" when the cube and
 * "die" (detail: 0 or 1) when a die was pressed.  One of the class "read-only" is not edited; while it is played on, it
 * sends "move" (detail: {from, to}, to null where a checker was only pressed) and "back".  Every point is a spin button
 * for screen readers.
 */

import { BAR as ON_BAR, CHECKERS, POINTS, checkers, contactPoints, movesOf } from "./race.js";
import { say, texts } from "./texts.js";

const W = 46; // of a point
const BAR = 44;
const TRAY = 50;
const EDGE = 16; // frame at the sides
const RIM = 27; // frame above and below, with the numbers
const R = 20.5;
const PITCH = 2 * R;
const ROOM = 5 * PITCH + 6; // of a half: five checkers
const GAP = 66;
const WIDTH = 2 * EDGE + 12 * W + BAR + TRAY + 8;
const HEIGHT = 2 * RIM + 2 * ROOM + GAP;
const TIP = 196;
const MIDDLE = HEIGHT / 2;
const SLICE = 11.5;
const LONG_PRESS = 450;
const DRAG_FROM = 5;

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

/**
 * Points are those of the player on roll, 1 to 24; 0 is the tray of their checkers, 25 that of the opponent's; then their
 * bar, and that of the opponent.
 */
const MY_BAR = 26;
const THEIR_BAR = 27;
const isTray = (p) => p === 0 || p === 25;
const isBar = (p) => p > 25;
const isUpper = (p) => p > 12 && p !== MY_BAR;
/** Where a side's counts have a place. */
const indexOf = (p, side) => (isBar(p) ? ON_BAR : side === "mine" ? p - 1 : POINTS - p);
const column = (p) => (isUpper(p) ? p - 13 : 12 - p);
const TRAY_X = EDGE + 12 * W + BAR + 8;
const pointX = (p) => {
  if (isTray(p)) return TRAY_X + TRAY / 2;
  return isBar(p) ? BAR_X : EDGE + (column(p) + 0.5) * W + (column(p) > 5 ? BAR : 0);
};
const BAR_X = EDGE + 6 * W + BAR / 2;
const n1 = (x) => String(Math.round(x * 10) / 10);

/** Middle of checker k of n on a point. */
function checkerAt(p, k, n) {
  if (isTray(p)) {
    const y = RIM + 6 + (k + 0.5) * SLICE;
    return [pointX(p), p === 0 ? HEIGHT - y : y];
  }
  if (isBar(p)) {
    const y = GAP / 2 + R + 4 + k * (n > 3 ? (2 * PITCH) / (n - 1) : PITCH); // from the middle, clear of the cube
    return [BAR_X, isUpper(p) ? MIDDLE - y : MIDDLE + y];
  }
  const pitch = n > 5 ? (4 * PITCH) / (n - 1) : PITCH;
  const y = RIM + R + 2 + k * pitch;
  return [pointX(p), isUpper(p) ? y : HEIGHT - y];
}

function checkerSvg(x, y, kind) {
  return (
    `<circle class="shade" cx="${n1(x)}" cy="${n1(y + 1.6)}" r="${R - 0.4}"/>` +
    `<circle class="checker ${kind}" cx="${n1(x)}" cy="${n1(y)}" r="${R - 0.8}"/>` +
    `<circle class="ring ${kind}" cx="${n1(x)}" cy="${n1(y)}" r="${R - 6.5}"/>`
  );
}

function stackSvg(p, n, kind) {
  const places = Array.from({ length: n }, (_, k) => checkerAt(p, k, n));
  const drawn = places.map(([x, y]) => checkerSvg(x, y, kind)).join("");
  if (n <= (isBar(p) ? 3 : 5)) return drawn;
  const [x, y] = places[n - 1];
  return `${drawn}<text class="count ${kind}" x="${n1(x)}" y="${n1(y + 5.5)}">${n}</text>`;
}

function traySvg(n, kind) {
  const slices = Array.from({ length: n }, (_, k) => {
    const [x, y] = checkerAt(kind === "mine" ? 0 : 25, k, n);
    return `<rect class="slice ${kind}" x="${n1(x - 19)}" y="${n1(y - SLICE / 2 + 0.7)}" width="38" height="${SLICE - 1.4}" rx="3"/>`;
  });
  return slices.join("");
}

function checkersSvg({ mine, theirs }) {
  const points = Array.from({ length: POINTS }, (_, k) => stackSvg(k + 1, mine[k], "mine") + stackSvg(k + 1, theirs[23 - k], "theirs"));
  const bars = stackSvg(MY_BAR, mine[ON_BAR], "mine") + stackSvg(THEIR_BAR, theirs[ON_BAR], "theirs");
  return points.join("") + bars + traySvg(CHECKERS - checkers(mine), "mine") + traySvg(CHECKERS - checkers(theirs), "theirs");
}

function diceSvg(roll) {
  return (roll ?? [])
    .map((die, k) => {
      const x = EDGE + 9 * W + BAR + (k ? 27 : -27);
      const spots = PIPS[die].map(([a, b]) => `<circle cx="${n1(x + 9.5 * a)}" cy="${n1(MIDDLE + 9.5 * b)}" r="3.7"/>`);
      return (
        `<g class="die" data-die="${k}"><rect class="shade" x="${n1(x - 19)}" y="${n1(MIDDLE - 17)}" width="38" height="38" rx="8"/>` +
        `<rect class="face" x="${n1(x - 19)}" y="${n1(MIDDLE - 19)}" width="38" height="38" rx="8"/>${spots.join("")}</g>`
      );
    })
    .join("");
}

function cubeSvg({ cube, cubeValue, crawford }) {
  if (crawford) return "";
  const y = { centered: MIDDLE, mine: HEIGHT - RIM - 26, theirs: RIM + 26 }[cube];
  const shown = cube === "centered" && cubeValue === 1 ? 64 : cubeValue;
  const size = shown > 999 ? "small" : "";
  return (
    `<g class="cube" aria-hidden="true"><rect class="shade" x="${n1(BAR_X - 18)}" y="${n1(y - 16)}" width="36" height="36" rx="6"/>` +
    `<rect class="face" x="${n1(BAR_X - 18)}" y="${n1(y - 18)}" width="36" height="36" rx="6"/>` +
    `<text class="${size}" x="${n1(BAR_X)}" y="${n1(y + 6.5)}">${shown}</text></g>`
  );
}

function pointSvg(p) {
  const x = pointX(p);
  const [base, tip] = isUpper(p) ? [RIM, RIM + TIP] : [HEIGHT - RIM, HEIGHT - RIM - TIP];
  const shape = `M${n1(x - W / 2 + 1.5)} ${n1(base)}L${n1(x)} ${n1(tip)}L${n1(x + W / 2 - 1.5)} ${n1(base)}z`;
  const y = isUpper(p) ? RIM - 8.5 : HEIGHT - 8.5;
  return `<path class="${p % 2 ? "a" : "b"}" d="${shape}"/><text class="number" x="${n1(x)}" y="${n1(y)}">${p}</text>`;
}

const GROUND =
  `<rect class="wood" width="${WIDTH}" height="${HEIGHT}" rx="12"/>` +
  `<rect class="field" x="${EDGE}" y="${RIM}" width="${6 * W}" height="${HEIGHT - 2 * RIM}" rx="3"/>` +
  `<rect class="field" x="${EDGE + 6 * W + BAR}" y="${RIM}" width="${6 * W}" height="${HEIGHT - 2 * RIM}" rx="3"/>` +
  `<rect class="tray" x="${TRAY_X}" y="${RIM}" width="${TRAY}" height="${HEIGHT / 2 - RIM - 7}" rx="4"/>` +
  `<rect class="tray" x="${TRAY_X}" y="${MIDDLE + 7}" width="${TRAY}" height="${HEIGHT / 2 - RIM - 7}" rx="4"/>` +
  Array.from({ length: POINTS }, (_, k) => pointSvg(k + 1)).join("");

/** Arrows of the moves of a play, each from the top of its stack to where it lands. */
function movesSvg(race, moves) {
  const counts = [0, ...race.mine];
  let out = "";
  for (const [from, to] of moves) {
    const landed = counts[to] ?? 0;
    const [x1, y1] = checkerAt(from, Math.max(counts[from] - 1, 0), Math.max(counts[from], 1));
    const off = CHECKERS - checkers(counts.slice(1));
    const [x2, y2] = to ? checkerAt(to, Math.min(landed, 5), Math.max(landed + 1, 1)) : checkerAt(0, off, 15);
    counts[from]--;
    if (to) counts[to]++;
    const far = Math.hypot(x2 - x1, y2 - y1) || 1;
    const lift = (isUpper(from) ? 1 : -1) * (isUpper(from) === isUpper(to || 1) ? 22 + 0.2 * far : 0);
    const side = isUpper(from) === isUpper(to || 1) ? 0 : -40;
    const cx = (x1 + x2) / 2 + side;
    const cy = (y1 + y2) / 2 + lift;
    const angle = Math.atan2(y2 - cy, x2 - cx);
    const head = [0, 2.6, -2.6].map((turn, k) => {
      const length = k ? 13 : 0;
      return `${n1(x2 + length * Math.cos(angle + turn))} ${n1(y2 + length * Math.sin(angle + turn))}`;
    });
    const [endX, endY] = [x2 - 7 * Math.cos(angle), y2 - 7 * Math.sin(angle)];
    const line = `M${n1(x1)} ${n1(y1)}Q${n1(cx)} ${n1(cy)} ${n1(endX)} ${n1(endY)}`;
    out +=
      (to ? `<circle class="landing" cx="${n1(x2)}" cy="${n1(y2)}" r="${R - 1.5}"/>` : "") +
      `<path class="halo" d="${line}"/><path class="arrow" d="${line}"/><path class="head" d="M${head.join("L")}z"/>` +
      `<circle class="head" cx="${n1(x1)}" cy="${n1(y1)}" r="4"/>`;
  }
  return out;
}

/** Bands behind the points where the sides have not passed each other. */
function contactSvg(points) {
  return points
    .filter((p) => p >= 1 && p <= POINTS)
    .map((p) => {
      const y = isUpper(p) ? RIM : HEIGHT - RIM - TIP - 8;
      return `<rect x="${n1(pointX(p) - W / 2 + 1)}" y="${n1(y)}" width="${W - 2}" height="${TIP + 8}" rx="6"/>`;
    })
    .join("");
}

const PAINTED = ["fill", "stroke", "stroke-width", "opacity", "stop-color", "font-size", "font-weight", "text-anchor"];

/**
 * A board as a picture of its own, which has the style of the page in itself.
 * @param {import("./race.js").Race} race
 * @returns {string}
 */
export function boardSvg(race) {
  const size = `viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`;
  const font = 'font-family="system-ui,Helvetica,Arial,sans-serif"';
  const board = document.createElement("bg-board");
  const paints = document.getElementById("paints")?.innerHTML;
  const drawn = paints + GROUND + checkersSvg(race) + cubeSvg(race) + diceSvg(race.roll);
  board.innerHTML = `<svg ${size} ${font}><title>${texts.board.name}</title>${drawn}</svg>`;
  document.body.append(board);
  const svg = /** @type {SVGElement} */ (board.firstElementChild), plain = getComputedStyle(svg);
  for (const element of svg.querySelectorAll("[class]")) {
    const style = getComputedStyle(element);
    for (const name of PAINTED) {
      const value = style.getPropertyValue(name);
      if (value !== plain.getPropertyValue(name)) element.setAttribute(name, value.replace(/url\([^#]*(#[\w-]+).*/, "url($1)"));
    }
  }
  board.remove();
  return `${new XMLSerializer().serializeToString(svg)}\n`;
}

export const BOARD_SIZE = [WIDTH, HEIGHT];

class Board extends HTMLElement {
  /** @type {any} */
  #race = null;
  #brush = "auto";
  #focus = 6;
  /** @type {any} */
  #drag = null;
  #readonly = false;
  #playing = false;

  connectedCallback() {
    if (this.firstChild) return;
    this.#readonly = this.classList.contains("read-only");
    const button = this.#readonly ? "" : 'role="button" tabindex="0"';
    const hits = Array.from({ length: THEIR_BAR + 1 }, (_, p) => {
      const x = pointX(p);
      const half = isTray(p) ? TRAY / 2 : isBar(p) ? BAR / 2 : W / 2;
      const y = isUpper(p) ? 0 : MIDDLE;
      const role = isTray(p) ? 'role="img"' : 'role="spinbutton" aria-valuemin="0" aria-valuemax="15"';
      const box = `x="${n1(x - half)}" y="${n1(y)}" width="${2 * half}" height="${MIDDLE}" rx="7"`;
      return `<rect class="hit" data-point="${p}" ${role} tabindex="-1" ${box}/>`;
    });
    this.innerHTML =
      `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group">${GROUND}<g class="contact"></g><g class="checkers"></g>` +
      `<g class="hits">${hits.join("")}</g><g class="dice"></g>` +
      `<g class="cube-place" ${button}></g><g class="moves"></g><g class="dragged"></g></svg>`;
    const svg = /** @type {SVGSVGElement} */ (this.querySelector("svg"));
    svg.setAttribute("aria-label", texts.board.name);
    svg.addEventListener("pointerdown", (/** @type {any} */ event) => this.#press(event));
    // A finger on a checker drags it; anywhere else it scrolls the page.  (touch-action is not heeded inside of SVG.)
    const drags = (/** @type {any} */ event) => {
      if (event.target.classList.contains("full") && (this.#playing || !this.#readonly)) event.preventDefault();
    };
    svg.addEventListener("touchstart", drags, { passive: false });
    svg.addEventListener("pointermove", (/** @type {any} */ event) => this.#move(event));
    svg.addEventListener("pointerup", (/** @type {any} */ event) => this.#release(event));
    svg.addEventListener("pointercancel", () => this.#stop());
    svg.addEventListener("contextmenu", (/** @type {any} */ event) => event.preventDefault());
    svg.addEventListener("keydown", (/** @type {any} */ event) => this.#key(event));
    // On the SVG itself this would make it a stop of the tab key.
    this.addEventListener("focusin", (/** @type {any} */ event) => {
      const point = event.target.dataset?.point;
      if (point !== undefined) this.#focus = Number(point);
    });
  }

  /** Which side a click on an empty point adds to: "auto" (by halves), "mine" or "theirs". */
  set brush(side) {
    this.#brush = side;
  }

  /** Whether a read-only board lets the player on roll move checkers. */
  set playing(value) {
    this.#playing = value;
    this.classList.toggle("playing", value);
    if (this.#race) this.show(this.#race);
  }

  /** @param {import("./race.js").Race} race */
  show(race) {
    this.#race = race;
    this.#layer("checkers").innerHTML = checkersSvg(race);
    this.#layer("dice").innerHTML = diceSvg(race.roll);
    const cube = this.#layer("cube-place");
    const name = this.#readonly ? "" : `<title>${say(texts.board.cube[race.cube], { value: race.cubeValue })}</title>`;
    cube.innerHTML = name + cubeSvg(race);
    this.#layer("contact").innerHTML = contactSvg(contactPoints(race));
    this.#layer("moves").innerHTML = "";
    this.querySelectorAll(".die").forEach((die, k) => {
      if (!race.roll || this.#readonly) return;
      die.setAttribute("role", "button");
      die.setAttribute("tabindex", "0");
      die.setAttribute("aria-label", say(texts.board.die, { n: race.roll[k] }));
    });
    for (const hit of /** @type {NodeListOf<SVGElement>} */ (this.querySelectorAll(".hit"))) {
      const p = Number(hit.dataset.point);
      const [n, side] = this.#at(p);
      const { off, bar, point } = texts.board;
      let label = say(point, { point: p });
      if (isTray(p)) label = say(off[p === 0 ? "mine" : "theirs"], { n });
      if (isBar(p)) label = bar[p === MY_BAR ? "mine" : "theirs"];
      hit.setAttribute("aria-label", label);
      if (!isTray(p)) {
        hit.setAttribute("aria-valuenow", String(n));
        hit.setAttribute("aria-valuetext", say(texts.board.holds[n ? side : "none"], { n }));
        hit.setAttribute("tabindex", p === this.#focus && (this.#playing || !this.#readonly) ? "0" : "-1");
        hit.ariaReadOnly = this.#readonly ? "true" : null;
      }
      hit.classList.toggle("full", n > 0);
    }
  }

  /**
   * Shows a play with arrows; null takes them away.
   * @param {{play: string} | null} play
   */
  preview(play) {
    this.#layer("moves").innerHTML = play && this.#race ? movesSvg(this.#race, movesOf(play.play)) : "";
  }

  /**
   * Shows the play that is pointed at in a box, or that has the focus, until the pointer or the focus goes.
   * @param {HTMLElement} box
   * @param {(element: any) => {play: string} | undefined} playOf
   */
  previewFrom(box, playOf) {
    const show = (/** @type {Event} */ { target }) => {
      const play = playOf(target);
      if (play) this.preview(play);
    };
    for (const name of ["pointerover", "focusin"]) box.addEventListener(name, show);
    for (const name of ["pointerleave", "focusout"]) box.addEventListener(name, () => this.preview(null));
  }

  /** @returns {SVGElement} */
  #layer(name) {
    return /** @type {SVGElement} */ (this.querySelector(`.${name}`));
  }

  /** @returns {SVGElement} */
  #hit(p) {
    return /** @type {SVGElement} */ (this.querySelector(`.hit[data-point="${p}"]`));
  }

  /** How many checkers stand on a point, and whose. */
  #at(p) {
    const { mine, theirs } = this.#race;
    if (p === 0) return [CHECKERS - checkers(mine), "mine"];
    if (p === 25) return [CHECKERS - checkers(theirs), "theirs"];
    if (isBar(p)) return p === MY_BAR ? [mine[ON_BAR], "mine"] : [theirs[ON_BAR], "theirs"];
    return mine[p - 1] ? [mine[p - 1], "mine"] : [theirs[24 - p], theirs[24 - p] ? "theirs" : ""];
  }

  #sideFor(p) {
    const [, side] = this.#at(p);
    return side || (this.#brush === "auto" ? (isUpper(p) ? "theirs" : "mine") : this.#brush);
  }

  /** Sets how many checkers a side has on a point, as far as it has that many. */
  #set(p, n, side) {
    const sides = { mine: [...this.#race.mine], theirs: [...this.#race.theirs] };
    const k = indexOf(p, side);
    if (isBar(p)) sides[side][k] = 0;
    else sides.mine[p - 1] = sides.theirs[24 - p] = 0;
    sides[side][k] = Math.max(0, Math.min(n, CHECKERS - checkers(sides[side])));
    this.#tell("edit", sides);
  }

  /** @param {string} name @param {any} [detail] */
  #tell(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  #transfer(from, to) {
    const [, side] = this.#at(from);
    const [held, holder] = this.#at(to);
    if (from === to || (!isTray(to) && (held || isBar(to)) && holder !== side)) return;
    const sides = { mine: [...this.#race.mine], theirs: [...this.#race.theirs] };
    if (!isTray(from)) sides[side][indexOf(from, side)]--;
    if (!isTray(to)) sides[side][indexOf(to, side)]++;
    this.#tell("edit", sides);
  }

  // ---------------------------------------------------------------- mouse and touch

  #pointAt(event) {
    const box = /** @type {SVGSVGElement} */ (this.querySelector("svg")).getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    if (x < 0 || y < 0 || x > WIDTH || y > HEIGHT) return { x, y, p: null };
    if (x > TRAY_X) return { x, y, p: y < MIDDLE ? 25 : 0 };
    const inner = x - EDGE;
    if (inner > 6 * W && inner < 6 * W + BAR) return { x, y, p: y < MIDDLE ? THEIR_BAR : MY_BAR };
    const col = Math.max(0, Math.min(11, Math.floor((inner > 6 * W ? inner - BAR : inner) / W)));
    return { x, y, p: y < MIDDLE ? col + 13 : 12 - col };
  }

  #press(event) {
    if ((this.#readonly && !this.#playing) || event.target.closest(".cube-place, .die")) return;
    const { x, y, p } = this.#pointAt(event);
    if (p === null) return;
    const [n, side] = this.#at(p);
    if (this.#playing && (side !== "mine" || p === 0 || event.button)) return;
    event.target.setPointerCapture?.(event.pointerId);
    this.#drag = { p, n, side, x, y, moved: false, button: event.button, timer: 0 };
    if (!this.#playing && event.pointerType !== "mouse" && n && !isTray(p)) {
      this.#drag.timer = setTimeout(() => {
        const held = this.#drag;
        if (!held || held.moved) return;
        this.#stop();
        navigator.vibrate?.(10);
        this.#set(p, n - 1, side);
      }, LONG_PRESS);
    }
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    const { x, y, p } = this.#pointAt(event);
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) > DRAG_FROM && drag.n && drag.button === 0) {
      drag.moved = true;
      clearTimeout(drag.timer);
      const { mine, theirs } = this.#race;
      const lifted = { mine: [...mine], theirs: [...theirs] };
      if (!isTray(drag.p)) lifted[drag.side][indexOf(drag.p, drag.side)]--;
      this.#layer("checkers").innerHTML = checkersSvg(lifted);
    }
    if (drag.moved) {
      this.#layer("dragged").innerHTML = checkerSvg(x, y, drag.side);
      this.#mark(p);
    }
  }

  #mark(p) {
    for (const hit of this.querySelectorAll(".hit.target")) hit.classList.remove("target");
    if (p !== null) this.#hit(p).classList.add("target");
  }

  #release(event) {
    const drag = this.#drag;
    if (!drag) {
      this.#pressCubeOrDie(event.target);
      return;
    }
    const { p } = this.#pointAt(event);
    this.#stop();
    if (this.#playing) {
      const to = p === null || isBar(p) ? 0 : p;
      if (!drag.moved || to !== drag.p) this.#play(drag.p, drag.moved ? to : null);
    } else if (drag.moved) {
      if (p === null) this.#transfer(drag.p, drag.side === "mine" ? 0 : 25);
      else this.#transfer(drag.p, p);
    } else if (p !== null && p === drag.p && !isTray(p)) {
      const side = this.#sideFor(p);
      this.#focus = p;
      this.#set(p, drag.n + (drag.button === 2 ? -1 : 1), side);
    }
  }

  #stop() {
    clearTimeout(this.#drag?.timer);
    this.#drag = null;
    this.#layer("dragged").innerHTML = "";
    this.#mark(null);
    if (this.#race) this.#layer("checkers").innerHTML = checkersSvg(this.#race);
  }

  /** Tells that the cube or a die was pressed; says whether it was one of them. */
  #pressCubeOrDie(target) {
    const die = target.closest(".die");
    if (this.#readonly || (!die && !target.closest(".cube-place"))) return false;
    this.#tell(die ? "die" : "cube", die && Number(die.dataset.die));
    if (die) /** @type {any} */ (this.querySelector(`.die[data-die="${die.dataset.die}"]`)).focus(); // it is drawn anew
    return true;
  }

  #play(from, to) {
    this.#focus = from;
    this.#tell("move", { from, to });
  }

  // ---------------------------------------------------------------- keys

  #key(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const p = this.#focus;
    const onPoint = Boolean(target.dataset.point);
    const n = onPoint ? this.#at(p)[0] : 0;
    const presses = key === "Enter" || key === " ";
    const takesOff = key === "Backspace" || key === "Delete";
    const go = onPoint ? this.#neighbour(p, key) : null;
    if (go !== null) this.#focusOn(go);
    else if (!onPoint) {
      if (!presses || !this.#pressCubeOrDie(target)) return;
    } else if (this.#playing) {
      if (presses) this.#play(p, null);
      else if (takesOff) this.#tell("back");
      else return;
    } else if (this.#readonly) return;
    else if (presses || key === "ArrowUp" || key === "+") this.#set(p, n + 1, this.#sideFor(p));
    else if (takesOff || key === "ArrowDown" || key === "-") this.#set(p, n - 1, this.#sideFor(p));
    else if (/^[0-9]$/.test(key)) this.#set(p, Number(key), this.#sideFor(p));
    else if (key === "x" && n && !isBar(p)) this.#set(p, n, this.#sideFor(p) === "mine" ? "theirs" : "mine");
    else return;
    event.preventDefault();
  }

  /** The point that an arrow leads to, as the eye sees it; null for other keys. */
  #neighbour(p, key) {
    if (key === "Home") return 1;
    if (key === "End") return 24;
    if (key === "PageUp" || key === "PageDown") return isBar(p) ? MY_BAR + THEIR_BAR - p : 25 - p;
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (!step) return null;
    const [left, right] = isUpper(p) ? [18, 19] : [7, 6];
    if (isBar(p)) return step > 0 ? right : left;
    if (p === (step > 0 ? left : right)) return isUpper(p) ? THEIR_BAR : MY_BAR;
    const next = isUpper(p) ? p + step : p - step;
    return { 0: 24, 25: 1 }[next] ?? next;
  }

  #focusOn(p) {
    for (const hit of this.querySelectorAll('.hit[tabindex="0"]')) hit.setAttribute("tabindex", "-1");
    const hit = this.#hit(p);
    hit.setAttribute("tabindex", "0");
    hit.focus();
  }
}

customElements.define("bg-board", Board);
