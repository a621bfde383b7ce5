/**
 * A message as somebody judges it: question, drafts side by side, evidence; a picked sentence shows where it stands nearest.
 * @import {Draft, Evidence, Judgement} from "../types.js"
 */
import { h } from "preact";
import { useMemo, useState } from "preact/hooks";
import { post } from "../api.js";
import { plural } from "../format.js";
import { answerMarks, evidenceMarks, orderedEvidence, unsupported, wordsOf } from "../marks.js";
import { utf16Offsets } from "../text.js";
import { SignalsPart } from "./signals.js";
import { Button, Note, ProblemNote, inert, say } from "./ui.js";
import { MarksLegend, Words } from "./words.js";

/** Chunks shown before somebody asks for all. */
const CHUNKS = 6;

/**
 * @param {{question: string, drafts: Draft[], tryWith?: {sidecar: string, review: string} | undefined}} props oldest draft first;
 *     `tryWith` names what other words are judged against
 */
export function Drafts({ question, drafts, tryWith }) {
  const last = drafts.length - 1;
  const [picked, setPicked] = useState(/** @type {{draft: number, claim: number} | undefined} */ (undefined));
  const at = picked && drafts[picked.draft] ? picked.draft : last;
  const draft = drafts[at];
  const claim = picked?.draft === at ? picked.claim : undefined;
  /** @param {number} number @param {number} sentence */
  const pick = (number, sentence) => {
    const same = picked?.draft === number && picked.claim === sentence;
    setPicked(same ? undefined : { draft: number, claim: sentence });
    const found = drafts[number]?.judgement?.claims?.[sentence];
    if (!same) say(found?.nearest ? "The nearest evidence is marked." : "No evidence is near to this sentence.");
  };
  /** @param {number} i */
  const part = (i) => {
    const each = drafts[i];
    return each ? h(DraftPart, { key: i, draft: each, held: i === last, many: drafts.length, picked: i === at ? claim : undefined, onPick: (sentence) => pick(i, sentence) }) : null;
  };
  // what is to be decided about comes first, with its evidence beside it; earlier drafts follow, the latest first
  return h(
    "div",
    null,
    h("section", { class: "panel" }, h("h2", null, "Question"), question === "" ? h("p", { class: "soft" }, "None was found in the message.") : h(Words, { text: question, label: "Question" })),
    h(
      "div",
      { class: "side" },
      part(last),
      draft ? h(EvidencePart, { key: "evidence", evidence: draft.evidence, judgement: draft.judgement, claim, answer: draft.answer, of: drafts.length > 1 ? draft.attempt : 0 }) : null,
      drafts.slice(0, -1).map((_, i) => part(last - 1 - i)),
    ),
    drafts.some((each) => each.judgement) ? h(MarksLegend, null) : null,
    draft?.judgement ? h("section", { class: "panel" }, h("h2", null, "Signals against thresholds"), h(SignalsPart, { judgement: draft.judgement })) : null,
    tryWith && draft ? h(TryWords, { key: `${tryWith.sidecar}/${tryWith.review}`, answer: draft.answer, evidence: draft.evidence, tryWith }) : null,
  );
}

/** @param {{draft: Draft, held: boolean, many: number, picked: number | undefined, onPick: (claim: number) => void}} props */
function DraftPart({ draft, held, many, picked, onPick }) {
  const marks = useMemo(() => answerMarks(draft.judgement), [draft]);
  const missing = draft.judgement ? unsupported(draft.judgement) : undefined;
  const cut = draft.judgement?.cut?.["words"] ?? 0;
  const title = many === 1 ? "Answer" : `Draft ${draft.attempt}${held ? ", the held one" : ""}`;
  return h(
    "section",
    { class: "panel" },
    h("h2", null, title),
    h(Words, { text: draft.answer, label: title, marks, picked, onPick }),
    draft.judgement
      ? h("p", { class: "soft" }, missing === 0 ? "Each word stands in the evidence or the question." : `${plural(missing ?? 0, "different word stands", "different words stand")} nowhere.`, cut ? ` ${plural(cut, "word is", "words are")} not marked: the text has too many.` : "")
      : h("p", { class: "soft" }, "This draft was kept without its judgement; nothing is marked."),
  );
}

/** @param {{evidence: Evidence[], judgement: Judgement | undefined, claim: number | undefined, answer: string, of: number}} props */
function EvidencePart({ evidence, judgement, claim, answer, of }) {
  const [all, setAll] = useState(false);
  const ordered = useMemo(() => orderedEvidence(evidence, judgement, claim), [evidence, judgement, claim]);
  const shown = all ? ordered : ordered.slice(0, CHUNKS);
  return h(
    "section",
    { class: "panel" },
    h("h2", null, of ? `Evidence of draft ${of}` : "Evidence"),
    evidence.length === 0
      ? h("p", { class: "soft" }, "None was given. Every word of the answer is unsupported then.")
      : h("p", { class: "soft" }, claim === undefined ? "Choose a sentence of the answer to see where it stands." : h(Nearest, { judgement, claim, answer })),
    shown.map(({ chunk, index, near }) => h(Chunk, { key: index, chunk, index, near, judgement, claim })),
    ordered.length > shown.length ? h(Button, { label: `Show all ${evidence.length}`, onClick: () => setAll(true) }) : null,
  );
}

/** @param {{chunk: Evidence, index: number, near: boolean, judgement: Judgement | undefined, claim: number | undefined}} props */
function Chunk({ chunk, index, near, judgement, claim }) {
  const marks = useMemo(() => evidenceMarks(judgement, claim, index), [judgement, claim, index]);
  return h(
    "div",
    null,
    h("h3", null, inert(chunk.id), near ? h("span", { class: "good" }, " ← of this sentence") : null, chunk.cut ? h("span", { class: "soft" }, " (only its beginning was kept)") : null),
    h(Words, { text: chunk.text, label: `Evidence ${index + 1}`, marks }),
  );
}

/**
 * What there is to say about one sentence.
 * @param {{judgement: Judgement | undefined, claim: number, answer: string}} props
 */
function Nearest({ judgement, claim, answer }) {
  const found = judgement?.claims?.[claim];
  if (!judgement || !found) return null;
  const missing = wordsOf(judgement, found).filter((word) => !word.evidence && !word.question);
  const places = utf16Offsets(answer, missing.flatMap((word) => [word.from, word.to]));
  return h(
    "span",
    null,
    found.nearest ? "This sentence stands nearest to the marked one. " : "This sentence is near to no evidence. ",
    found.support === undefined ? null : `Support ${found.support.toFixed(2)} of 1. `,
    (found.changes ?? []).map((change) => h("strong", { key: change.from }, inert(change.sentence), " ")),
    missing.length
      ? h("span", null, "Nowhere: ", missing.slice(0, 20).map((word, i) => h("span", { key: word.from }, i ? ", " : "", inert(answer.slice(places.get(word.from), places.get(word.to))))), missing.length > 20 ? " …" : ".")
      : null,
  );
}

/** The longest answer that is put into the field: a browser lays out a field of a megabyte for half a minute. */
const EDITABLE = 50_000;

/**
 * Other words for the same question and evidence, judged by the sidecar and sent to nobody. Made when it is unfolded.
 * @param {TryProps} props
 */
function TryWords(props) {
  const [open, setOpen] = useState(false);
  return h(
    "details",
    { class: "panel", onToggle: (/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) },
    h("summary", null, "Try other words"),
    open ? h(TryField, props) : null,
  );
}

/** @typedef {{answer: string, evidence: Evidence[], tryWith: {sidecar: string, review: string}}} TryProps */

/** @param {TryProps} props */
function TryField({ answer, evidence, tryWith }) {
  const fits = answer.length <= EDITABLE;
  const [text, setText] = useState(fits ? answer : "");
  const [state, setState] = useState(/** @type {{busy: boolean, tried?: string, judgement?: Judgement, problem?: import("../types.js").Problem}} */ ({ busy: false }));
  const judge = async () => {
    setState({ ...state, busy: true });
    const result = await post("/judgement", { ...tryWith, answer: text });
    setState(result.ok ? { busy: false, tried: text, judgement: /** @type {Judgement} */ (result.value) } : { busy: false, problem: result.problem });
    say(result.ok ? `Judged: ${/** @type {Judgement} */ (result.value).route}.` : result.problem.title);
  };
  const { tried, judgement } = state;
  const marks = useMemo(() => answerMarks(judgement).filter((mark) => mark.kind !== "claim"), [judgement]);
  return h(
    "div",
    null,
    h("p", { class: "soft" }, "They are judged against the same evidence. Nothing is sent, counted or kept.", fits ? "" : " The answer is too long to be edited here: write what you want to try.", evidence.length === 0 ? " There is no evidence to judge them against." : ""),
    h(
      "label",
      { class: "field" },
      "Other words",
      h("textarea", { value: text, dir: "auto", spellcheck: false, rows: 5, onInput: (/** @type {Event} */ event) => setText(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value) }),
    ),
    h("p", null, h(Button, { label: state.busy ? "Judging …" : "Judge", onClick: judge, disabled: state.busy || text.trim() === "" })),
    state.problem ? h(ProblemNote, { problem: state.problem, again: judge }) : null,
    judgement && tried !== undefined
      ? h(Note, { title: tried === text ? "Judged, not sent" : "Judged before you went on writing" }, h(Words, { text: tried, label: "What was judged", marks }), h(SignalsPart, { judgement }))
      : null,
  );
}
