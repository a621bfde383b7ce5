/**
 * What all pages are built of.
 * @import {Problem, Route, Signals} from "../types.js"
 * @import {Loaded} from "./hooks.js"
 * @import {Act} from "../keys.js"
 * @import {ComponentChildren} from "preact"
 */
import { h } from "preact";
import { capital, clock, dateTime, words } from "../format.js";
import { keyOf } from "../keys.js";
import { runs } from "../text.js";

/**
 * Says something to who does not see it, politely: what is said within a second is said as one, the last word counts.
 * @param {string} text
 */
export function say(text) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const region = document.getElementById("said");
    if (region) region.textContent = text;
  }, 400);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {{kind?: "error" | "warning" | "done" | "plain", title?: string, children?: ComponentChildren}} props */
export function Note({ kind = "plain", title, children }) {
  return h("div", { class: `note ${kind}`, role: kind === "error" ? "alert" : undefined }, title ? h("strong", null, title) : null, children);
}

/** @param {{problem: Problem, again?: () => void}} props */
export function ProblemNote({ problem, again }) {
  return h(
    Note,
    { kind: "error" },
    h("p", null, inert(problem.title)),
    h("p", { class: "soft" }, "Code ", h("code", null, problem.code), " ", again ? h("button", { type: "button", onClick: again }, "Try again") : null),
  );
}

/**
 * The frame around what was loaded: it says in words that it loads, failed, is old, or is empty.
 * @template T
 * @param {{loaded: Loaded<T>, what: string, children: (value: T) => ComponentChildren}} props `what` is plural: "the cores"
 */
export function loadedPart({ loaded, what, children }) {
  if (loaded.value === undefined) {
    return loaded.problem
      ? h(ProblemNote, { problem: loaded.problem, again: loaded.reload })
      : h("p", { class: "soft" }, `Loading ${what} …`);
  }
  return h(
    "div",
    null,
    loaded.problem
      ? h(
          Note,
          { kind: "warning", title: `What you see is of ${clock(loaded.atMs)}.` },
          h("p", null, inert(loaded.problem.title), " ", h("button", { type: "button", onClick: loaded.reload }, "Try again")),
        )
      : null,
    children(loaded.value),
  );
}

/** @param {{title: string, children?: ComponentChildren}} props */
export function Empty({ title, children }) {
  return h(Note, { title }, h("p", null, children));
}

/** @type {Record<Route, {sign: string, word: string}>} */
const ROUTE_SIGNS = {
  execute: { sign: "✓", word: "Execute" },
  warn: { sign: "!", word: "Warn" },
  regenerate: { sign: "↻", word: "Regenerate" },
  yield: { sign: "■", word: "Yield" },
};

/** @param {{route: Route}} props */
export function RouteBadge({ route }) {
  const { sign, word } = ROUTE_SIGNS[route] ?? { sign: "?", word: capital(String(route)) };
  return h("span", { class: `badge ${route}` }, h("span", { class: "sign", "aria-hidden": "true" }, sign), word);
}

/**
 * A button with its key beside it. None is chosen beforehand: nothing takes the focus by itself.
 * @param {{label: string, act?: Act, onClick: () => void, disabled?: boolean, pressed?: boolean, title?: string, class?: string}} props
 */
export function Button({ label, act, onClick, disabled, pressed, title, class: kind }) {
  const key = act ? keyOf(act) : "";
  return h(
    "button",
    { type: "button", onClick, disabled, title, class: kind, "aria-pressed": pressed, "aria-keyshortcuts": key || undefined },
    label,
    key ? h("kbd", { "aria-hidden": "true" }, key) : null,
  );
}

/**
 * Words from elsewhere in a line of ours: as text, unseen characters named, kept from turning what is around them.
 * @param {string | undefined} text
 */
export function inert(text) {
  if (text === undefined) return null;
  return h(
    "bdi",
    null,
    runs(text).map((run) => (run.hidden ? h("span", { class: "hidden", title: run.name }, run.text) : run.text)),
  );
}

/** @param {{code: string}} props */
export function Reason({ code }) {
  return h("span", { class: "reason", title: code }, inert(words(code)));
}

/**
 * @param {{ms: number | undefined}} props
 */
export function Time({ ms }) {
  return ms === undefined ? "–" : h("time", { dateTime: new Date(ms).toISOString(), title: dateTime(ms) }, clock(ms));
}

/** @param {{rows: [string, ComponentChildren][]}} props rows without a value are left out */
export function Facts({ rows }) {
  const given = rows.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return h(
    "dl",
    { class: "facts" },
    given.map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value))),
  );
}

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {boolean} [number]
 */

/**
 * A table that scrolls by itself when it is wide, with a heading for each row.
 * @param {{caption: string, columns: Column[], rows: {key: string, cells: ComponentChildren[], class?: string}[]}} props
 */
export function Table({ caption, columns, rows }) {
  return h(
    "div",
    { class: "table", tabIndex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      null,
      h("caption", null, caption),
      h("thead", null, h("tr", null, columns.map((column) => h("th", { key: column.name, scope: "col", class: column.number ? "n" : undefined }, column.name)))),
      h(
        "tbody",
        null,
        rows.map((row) =>
          h(
            "tr",
            { key: row.key, class: row.class },
            row.cells.map((cell, i) =>
              i === 0
                ? h("th", { key: i, scope: "row" }, cell)
                : h("td", { key: i, class: columns[i]?.number ? "n" : undefined }, cell),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {{signals: Signals | undefined}} props three letters, as in the header of the protocol */
export function SignalLine({ signals }) {
  if (!signals) return h("span", { class: "soft" }, "not measured");
  /** @param {number | undefined} value */
  const shown = (value) => (value === undefined ? "–" : value.toFixed(2));
  return h(
    "span",
    { class: "t" },
    `C ${shown(signals.certainty)}  G ${shown(signals.grounding)}  S ${shown(signals.stochasticity)}`,
  );
}

/**
 * @param {{label: string, value: string, onChange: (value: string) => void, options: string[][], all: string}} props
 */
export function Choice({ label, value, onChange, options, all }) {
  return h(
    "label",
    { class: "field" },
    label,
    h(
      "select",
      { value, onChange: (/** @type {Event} */ event) => onChange(/** @type {HTMLSelectElement} */ (event.currentTarget).value) },
      h("option", { value: "" }, all),
      options.map(([id = "", name = ""]) => h("option", { key: id, value: id }, name)),
    ),
  );
}
