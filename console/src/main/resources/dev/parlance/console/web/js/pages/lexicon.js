/**
 * Lexicon: boards of coined terms, how far they were taken up over turns, and which may be promoted.
 * @import {Board} from "../types.js"
 */
import { h } from "preact";
import { segment } from "../api.js";
import { capital, count, number, plural, words } from "../format.js";
import { useLoaded } from "../parts/hooks.js";
import { Empty, Facts, loadedPart, Note, Table, Time, inert } from "../parts/ui.js";
import { address } from "../route.js";

const EVERY_MS = 15_000;

/** @param {{parts: string[]}} props */
export function LexiconPage({ parts }) {
  const key = parts[1];
  return key ? h(One, { id: key, key }) : h(All, null);
}

function All() {
  /** @type {import("../parts/hooks.js").Loaded<{boards: Board[]}>} */
  const loaded = useLoaded("/boards", EVERY_MS);
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, "Lexicon"), h("p", null, "Terms that agents coin while they work together")),
    loadedPart({
      loaded,
      what: "the boards",
      children: (/** @type {{boards: Board[]}} */ { boards }) =>
        boards.length === 0
          ? h(Empty, { title: "No board yet." }, "A conversation whose agents coin a term opens one.")
          : h(Table, {
              caption: `${plural(boards.length, "board")}, latest change first`,
              columns: [{ name: "Board" }, { name: "Terms", number: true }, { name: "Turns", number: true }, { name: "Reused", number: true }, { name: "Wait for a person", number: true }, { name: "Changed" }],
              rows: boards.map((board) => ({
                key: board.key,
                cells: [h("a", { href: address("lexicon", board.key) }, inert(board.board)), count(board.terms), count(board.turns), count(board.reuse), count(board.waiting), h(Time, { ms: board.changedAtMs })],
              })),
            }),
    }),
  );
}

/** @param {{id: string}} props */
function One({ id }) {
  /** @type {import("../parts/hooks.js").Loaded<Board>} */
  const loaded = useLoaded(`/boards/${segment(id)}`, EVERY_MS);
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, loaded.value ? inert(loaded.value.board) : "Board"), h("p", null, h("a", { href: address("lexicon") }, "All boards"))),
    loadedPart({ loaded, what: "the board", children: (/** @type {Board} */ board) => h(Detail, { board }) }),
  );
}

/** @param {{board: Board}} props */
function Detail({ board }) {
  const list = board.list ?? [];
  const candidates = list.filter((term) => term.candidate);
  const most = Math.max(1, ...list.map((term) => term.reuse ?? 0));
  return h(
    "div",
    null,
    candidates.length
      ? h(Note, { kind: "done", title: `${plural(candidates.length, "term")} may be promoted` }, h("p", null, inert(candidates.map((term) => term.term).join(", ")), ". ", h("code", null, "parlance lexicon promote"), " does it."))
      : null,
    h(
      "section",
      { class: "panel" },
      h(Facts, {
        rows: [
          ["Turns", count(board.turns)],
          ["Terms", count(list.length)],
          ["Reused", count(board.reuse)],
          ["Wait for a person", board.waiting ? String(board.waiting) : undefined],
          ...Object.entries(board.metrics ?? {}).map(([name, value]) => /** @type {[string, string]} */ ([capital(words(name)), number(value, 3)])),
        ],
      }),
    ),
    list.length === 0
      ? h(Empty, { title: "No term was coined yet." }, "")
      : h(Table, {
          caption: "Terms, most used first",
          columns: [{ name: "Term" }, { name: "Means" }, { name: "Status" }, { name: "Coined" }, { name: "Uptake" }, { name: "Reused", number: true }, { name: "Said", number: true }, { name: "Speakers" }],
          rows: list.map((term) => ({
            key: term.term,
            cells: [
              h("span", null, inert(term.term), term.candidate ? h("span", { class: "good" }, " ★ candidate") : null),
              inert(term.definition ?? "–"),
              words([term.status, term.standing].filter(Boolean).join(", ")),
              h("span", null, term.by ? inert(term.by) : "–", term.turn === undefined ? "" : `, turn ${term.turn}`),
              h(Uptake, { part: (term.reuse ?? 0) / most }),
              count(term.reuse),
              count(term.occurrences),
              inert((term.speakers ?? []).join(", ")),
            ],
          })),
        }),
  );
}

/** @param {{part: number}} props share of the most used term; the figure stands in the next column */
function Uptake({ part }) {
  return h("svg", { width: 80, height: 10, "aria-hidden": "true" }, h("rect", { class: "scale", width: 80, height: 10 }), h("rect", { class: "measure", width: 80 * part, height: 10 }));
}
