/**
 * A text of an agent, inert: text nodes only, kept apart from the direction of what is around it, what is unseen named, a long one
 * cut until somebody asks for more.
 * @import {Mark, Segment} from "../text.js"
 */
import { h } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { count } from "../format.js";
import { FIRST_CUT, cutAt, nextCut, runs, segments } from "../text.js";

/**
 * How marks look and what they say to who does not see them.
 * @type {Record<string, {class: string, said: string}>}
 */
const KINDS = {
  nowhere: { class: "nowhere", said: "found nowhere" },
  question: { class: "question", said: "only in the question" },
  changed: { class: "changed", said: "otherwise in the evidence" },
  citation: { class: "cite", said: "citation" },
  unknown: { class: "cite nowhere", said: "citation of nothing that was given" },
  near: { class: "near", said: "nearest evidence" },
  exact: { class: "exact", said: "same word" },
  weak: { class: "weak", said: "weakly supported" },
};

/** Marks after which an end is not said: a whole sentence. */
const QUIET = new Set(["claim", "weak", "near"]);

/**
 * @param {{text: string, label: string, marks?: Mark[], picked?: number | undefined, onPick?: (claim: number) => void}} props marks of
 *     kind `claim` carry `claim`, the number of a sentence that can be picked
 */
export function Words({ text, label, marks = NONE, picked, onPick }) {
  const [shown, setShown] = useState({ text, cut: FIRST_CUT });
  const cut = cutAt(text, shown.text === text ? shown.cut : FIRST_CUT);
  const pick = useRef(onPick);
  pick.current = onPick;
  // a long text has thousands of parts: they are made again when it changes, not whenever a clock beside it ticks
  const content = useMemo(
    () =>
      grouped(segments(text, marks, cut)).map((group, i) =>
        group.claim === undefined ? spans(group.parts) : sentence(group, i, picked, (claim) => pick.current?.(claim)),
      ),
    [text, marks, cut, picked],
  );
  if (text === "") return h("p", { class: "soft" }, `${label}: empty`);
  return h(
    "div",
    null,
    h(
      "div",
      { class: "words", dir: "auto", role: "group", "aria-label": label, tabIndex: 0 },
      content,
    ),
    cut < text.length
      ? h(
          "p",
          null,
          `${count(cut)} of ${count(text.length)} characters are shown. `,
          h("button", { type: "button", onClick: () => setShown({ text, cut: nextCut(cut, text.length) }) }, "Show more"),
        )
      : null,
  );
}

/** @type {Mark[]} */
const NONE = [];

/** @typedef {{claim: number | undefined, parts: Segment[]}} Group */

/**
 * Segments of one sentence are one thing to click.
 * @param {Segment[]} parts
 * @returns {Group[]}
 */
function grouped(parts) {
  /** @type {Group[]} */
  const groups = [];
  for (const part of parts) {
    const claim = /** @type {number | undefined} */ (part.marks.find((mark) => mark.kind === "claim")?.["claim"]);
    const last = groups[groups.length - 1];
    if (last && last.claim === claim) last.parts.push(part);
    else groups.push({ claim, parts: [part] });
  }
  return groups;
}

/**
 * @param {Group} group
 * @param {number} key
 * @param {number | undefined} picked
 * @param {(claim: number) => void} onPick
 */
function sentence(group, key, picked, onPick) {
  const claim = /** @type {number} */ (group.claim);
  const here = claim === picked;
  const pick = () => onPick(claim);
  return h(
    "span",
    {
      key,
      class: `claim${here ? " here" : ""}`,
      role: "button",
      tabIndex: 0,
      "aria-pressed": here,
      onClick: pick,
      onKeyDown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        pick();
      },
    },
    spans(group.parts),
  );
}

/** @param {Segment[]} parts */
function spans(parts) {
  return parts.map((part, i) => {
    const kinds = part.marks.flatMap((mark) => KINDS[mark.kind] ?? []);
    const content = runs(part.text).map((run) =>
      run.hidden ? h("span", { class: "hidden", title: run.name }, run.text) : run.text,
    );
    if (kinds.length === 0) return content;
    const aloud = part.marks.flatMap((mark) => (QUIET.has(mark.kind) ? [] : (KINDS[mark.kind]?.said ?? [])));
    return h(
      "mark",
      { key: i, class: kinds.map((kind) => kind.class).join(" "), title: kinds.map((kind) => kind.said).join(", ") },
      content,
      aloud.length ? h("span", { class: "unseen" }, ` (${aloud.join(", ")})`) : null,
    );
  });
}

/** What the marks mean. */
export function MarksLegend() {
  const rows = [
    ["nowhere", "in no evidence and not in the question"],
    ["question", "only in the question"],
    ["changed", "stands otherwise in the evidence"],
    ["weak", "a sentence with little support"],
    ["citation", "a citation"],
  ];
  return h(
    "ul",
    { class: "legend", "aria-label": "What the marks mean" },
    rows.map(([kind = "", means]) =>
      h("li", { key: kind }, h("span", { class: "words" }, h("mark", { class: KINDS[kind]?.class }, "words")), ` ${means}`),
    ),
  );
}
