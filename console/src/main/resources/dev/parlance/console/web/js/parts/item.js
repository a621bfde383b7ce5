/**
 * One held message: why it is here, its words, what can be done about it and what was done.
 * @import {Problem, ReviewAct, ReviewItem} from "../types.js"
 */
import { h } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { post, segment } from "../api.js";
import { ago, capital, dateTime, duration, plural, size, words } from "../format.js";
import { draftsOf } from "../pages/message.js";
import { address } from "../route.js";
import { Drafts } from "./drafts.js";
import { useNow } from "./hooks.js";
import { Button, Facts, Note, Time, inert, say } from "./ui.js";

/** How an act is said when it is done. */
const DONE = /** @type {Record<ReviewAct, string>} */ ({
  claim: "Claimed: others see that you are at it.",
  unclaim: "The claim is given back.",
  release: "Released.",
  reject: "Rejected.",
  "send-back": "Sent back with your note.",
  undo: "Undone: it waits again.",
});

/**
 * Does one thing about one item.
 * @param {{sidecar: string, id: string}} item
 * @param {ReviewAct} act
 * @param {string} [note]
 * @returns {Promise<import("../api.js").Result<ReviewItem>>}
 */
export async function doAct(item, act, note) {
  const body = note?.trim() ? { note: note.trim() } : {};
  /** @type {import("../api.js").Result<ReviewItem>} */
  const result = await post(`/review/${segment(item.sidecar)}/${segment(item.id)}/${act}`, body);
  say(result.ok ? DONE[act] : result.problem.title);
  return result;
}

/**
 * @typedef {object} ItemProps
 * @property {ReviewItem} item
 * @property {boolean} tries whether other words may be tried
 * @property {boolean} keys whether keys are shown beside the buttons
 * @property {(act: ReviewAct, note: string) => Promise<Problem | undefined>} onAct
 * @property {((act: ReviewAct, note: string) => Promise<Problem | undefined>) | undefined} [onActAll] on all of the same text
 * @property {boolean} [linkable]
 * @property {{current: ItemControls | undefined}} [controls] given to who handles the keys
 * @property {() => void} [onEnd] called when an act has ended, and what is shown is as it left it
 */
/** @typedef {{busy: () => boolean, run: (act: ReviewAct) => void}} ItemControls */

/** @param {ItemProps} props */
export function Item(props) {
  const { item, tries } = props;
  const drafts = useMemo(() => draftsOf(item), [item]);
  return h(
    "article",
    { "aria-labelledby": "item" },
    h(
      "section",
      { class: "panel" },
      h("h2", { id: "item" }, inert(item.sentence)),
      h(About, { item }),
    ),
    h(Drafts, { question: item.question, drafts, tryWith: tries ? { sidecar: item.sidecar, review: item.id } : undefined }),
    h(History, { item }),
    h(Acts, props),
  );
}

/** @param {{item: ReviewItem}} props */
function About({ item }) {
  const now = useNow(1_000);
  return h(
    "div",
    null,
    h("p", null, h(State, { item, now })),
    h(Facts, {
      rows: [
        ["From → to", h("span", null, inert(item.caller), " → ", inert(item.destination))],
        ["Held", h("span", null, h(Time, { ms: item.heldAtMs }), ` (${ago(item.heldAtMs, now)}) by `, inert(item.sidecar))],
        ["Reasons", inert(item.reasons.map(words).join(", "))],
        ["Kind", inert(`${item.direction} ${item.kind}, ${item.protocol}, rule ${item.routeRule}`)],
        ["Size", item.bodyBytes === undefined ? undefined : size(item.bodyBytes)],
        ["Escalated", item.escalations ? h("span", null, "to ", inert(item.queue ?? "–"), item.only ? ", who alone decide" : "") : item.dueAtMs ? `${ago(item.dueAtMs, now)}, unless somebody decides` : undefined],
        ["Decision", item.decisionId ? h("a", { href: address("message", item.sidecar, item.decisionId) }, inert(item.decisionId)) : undefined],
      ],
    }),
  );
}

/** @param {{item: ReviewItem, now: number}} props */
function State({ item, now }) {
  const parts = [capital(words(item.state))];
  if (item.decision) parts.push(`${words(item.decision.act)} by ${item.decision.who}, ${ago(item.decision.atMs, now)}`);
  if (item.claim && item.state === "pending") parts.push(item.claim.mine ? `claimed by you, ${duration(item.claim.untilMs - now)} left` : `claimed by ${item.claim.who}, ${duration(item.claim.untilMs - now)} left`);
  if ((item.people ?? 1) > 1) parts.push(`${item.opinions ?? 0} of ${item.people} people have decided; each decides without seeing the other`);
  return h("strong", null, inert(parts.join(". ")));
}

/** @param {{item: ReviewItem}} props */
function History({ item }) {
  const rows = item.history ?? [];
  if (rows.length === 0) return null;
  return h(
    "details",
    { class: "panel" },
    h("summary", null, `What happened to it (${rows.length})`),
    h(
      "ol",
      null,
      rows.map((row, i) => h("li", { key: i }, dateTime(row.atMs), ": ", inert(words(row.what)), row.who ? h("span", null, " by ", inert(row.who)) : null, row.note ? h("span", null, " – ", inert(row.note)) : null)),
    ),
  );
}

/** @param {ItemProps} props */
function Acts({ item, onAct, onActAll, keys, controls, onEnd, linkable }) {
  const now = useNow(1_000);
  const [note, setNote] = useState("");
  const [problem, setProblem] = useState(/** @type {Problem | undefined} */ (undefined));
  const [busy, setBusy] = useState(/** @type {ReviewAct | undefined} */ (undefined));
  const [all, setAll] = useState(false);
  const going = useRef(false);
  const many = (item.identical ?? 1) > 1 && onActAll;
  /** @param {ReviewAct} act */
  const can = (act) => item.acts.includes(act);
  /** @param {ReviewAct} act */
  const run = async (act) => {
    if (going.current) {
      say("The act before is still under way. Try again in a moment.");
      return;
    }
    if (!can(act)) {
      say(`${capital(words(act))} is not possible now.`);
      return;
    }
    if (act === "send-back" && note.trim() === "") {
      say("Write into the note what the agent should do otherwise.");
      document.getElementById("note")?.focus();
      return;
    }
    going.current = true;
    setBusy(act);
    const decides = act === "release" || act === "reject" || act === "send-back";
    const failed = await (all && many && decides ? onActAll(act, note) : onAct(act, note));
    going.current = false;
    setBusy(undefined);
    setProblem(failed);
    if (!failed && decides) setNote("");
  };
  if (controls) controls.current = { busy: () => going.current, run };
  useEffect(() => {
    if (busy === undefined) onEnd?.();
  }, [busy]);
  useEffect(() => {
    setProblem(undefined);
    setNote("");
    setAll(false);
  }, [item.sidecar, item.id]);
  const left = item.undoUntilMs === undefined ? 0 : item.undoUntilMs - now;
  /** @param {ReviewAct} act @param {string} label @param {import("../keys.js").Act} [key] */
  const button = (act, label, key) =>
    h(Button, { key: act, label: busy === act ? `${label} …` : label, ...(keys && key ? { act: key } : {}), onClick: () => run(act), disabled: !can(act) || busy !== undefined });
  const readOnly = item.acts.length === 0;
  return h(
    "section",
    { class: "act", "aria-label": "Decide" },
    readOnly
      ? h("p", { class: "soft" }, why(item))
      : h(
          "label",
          { class: "field" },
          can("send-back") ? "Note (why; needed to send back: the agent reads it)" : "Note (why)",
          h("input", { id: "note", type: "text", value: note, maxLength: 4000, autocomplete: "off", onInput: (/** @type {Event} */ event) => setNote(/** @type {HTMLInputElement} */ (event.currentTarget).value) }),
        ),
    h(
      "div",
      { class: "bar middle" },
      can("unclaim") ? button("unclaim", "Give back", "claim") : button("claim", "Claim", "claim"),
      button("release", "Release", "approve"),
      button("reject", "Reject", "reject"),
      button("send-back", "Send back"),
      can("undo") ? button("undo", left > 0 ? `Undo (${Math.ceil(left / 1000)} s)` : "Undo", "undo") : null,
      linkable ? h(Link, { item }) : null,
      many
        ? h(
            "label",
            { class: "tick" },
            h("input", { type: "checkbox", checked: all, onChange: (/** @type {Event} */ event) => setAll(/** @type {HTMLInputElement} */ (event.currentTarget).checked) }),
            `Decide ${plural(item.identical ?? 1, "item")} with this very text at once`,
          )
        : null,
    ),
    problem ? h(Note, { kind: "error" }, h("p", null, inert(problem.title))) : null,
  );
}

/**
 * Why nothing can be done.
 * @param {ReviewItem} item
 */
function why(item) {
  if (item.state !== "pending") return "There is nothing left to decide.";
  if (item.claim && !item.claim.mine) return h("span", null, inert(item.claim.who), " has claimed this item. It can be taken over when the claim ends.");
  if (item.only) return h("span", null, "It was escalated to ", inert(item.only), ", who alone decide it. It waits for them.");
  return "You may read this item, not decide about it.";
}

/** @param {{item: ReviewItem}} props */
function Link({ item }) {
  const [made, setMade] = useState(/** @type {{url: string, expiresAtMs: number} | undefined} */ (undefined));
  const [problem, setProblem] = useState("");
  useEffect(() => setMade(undefined), [item.sidecar, item.id]);
  const make = async () => {
    const result = await post(`/review/${segment(item.sidecar)}/${segment(item.id)}/link`, {});
    if (result.ok) setMade(/** @type {{url: string, expiresAtMs: number}} */ (result.value));
    setProblem(result.ok ? "" : result.problem.title);
  };
  return h(
    "span",
    null,
    made
      ? h("label", { class: "field" }, `Link to read this item, until ${dateTime(made.expiresAtMs)}`, h("input", { type: "text", readOnly: true, value: made.url, onFocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.currentTarget).select() }))
      : h(Button, { label: "Make a link", onClick: make, class: "plain" }),
    problem ? h("span", { role: "alert", class: "bad" }, " ", inert(problem)) : null,
  );
}
