/**
 * Message: one decision, why it was taken, and, where its words were kept, the message itself.
 * @import {DecisionDetail, ReviewItem, Session} from "../types.js"
 */
import { h } from "preact";
import { segment } from "../api.js";
import { pairOf } from "../buckets.js";
import { count, number, short, words } from "../format.js";
import { Drafts } from "../parts/drafts.js";
import { useLoaded } from "../parts/hooks.js";
import { Empty, Facts, loadedPart, RouteBadge, SignalLine, Time, inert } from "../parts/ui.js";
import { address } from "../route.js";

/** @param {{session: Session, parts: string[]}} props */
export function MessagePage({ session, parts }) {
  const [, sidecar = "", id = ""] = parts;
  /** @type {import("../parts/hooks.js").Loaded<DecisionDetail>} */
  const loaded = useLoaded(sidecar && id ? `/decisions/${segment(sidecar)}/${segment(id)}` : undefined);
  if (!sidecar || !id) {
    return h(Empty, { title: "No message is chosen." }, "Choose one on the ", h("a", { href: address("live") }, "Live"), " page.");
  }
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, "Message"), h("p", { class: "code" }, inert(id))),
    loadedPart({ loaded, what: "the decision", children: (/** @type {DecisionDetail} */ detail) => h(Detail, { detail, session }) }),
  );
}

/** @param {{detail: DecisionDetail, session: Session}} props */
function Detail({ detail, session }) {
  const { decision, line, findings = [], review } = detail;
  const reads = session.roles.includes("reviewer") || session.roles.includes("auditor");
  return h(
    "div",
    null,
    h(
      "section",
      { class: "panel" },
      h("h2", null, h(RouteBadge, { route: decision.route }), " ", inert(decision.sentence)),
      h(Facts, {
        rows: [
          ["When", h(Time, { ms: decision.tsMs })],
          ["From → to", inert(pairOf(decision))],
          ["Sidecar", inert(decision.sidecar)],
          ["Reasons", inert(decision.reasons.map(words).join(", "))],
          ["Done", inert(`${words(decision.action)}${decision.mode === "observe" ? " (observed only)" : ""}`)],
          ["Kind", inert(`${decision.direction} ${decision.kind}, ${decision.protocol}`)],
          ["Rule", inert(decision.routeRule)],
          ["Attempt", String(decision.attempt)],
          ["Signals", h(SignalLine, { signals: decision.signals })],
          ["Drift", number(decision.drift, 3)],
          ["Header", decision.header ? h("code", null, inert(decision.header)) : undefined],
          ["Digest", decision.bodySha256 ? h("code", { title: decision.bodySha256 }, short(decision.bodySha256, 16)) : undefined],
          ["Flow", h("code", null, inert(decision.flow))],
          ["Took", decision.totalUs === undefined ? undefined : `${count(decision.totalUs)} µs (judge ${count(decision.judgeUs ?? 0)})`],
        ],
      }),
    ),
    review
      ? reads
        ? h(Kept, { review, session })
        : h(Empty, { title: "This message is held." }, "Its words are shown to reviewers and auditors; your roles are ", session.roles.join(", "), ".")
      : h(Empty, { title: "The words of this message were not kept." }, "Only a held message keeps its words. What was measured of this one stands below."),
    findings.length
      ? h(
          "section",
          { class: "panel" },
          h("h2", null, "Why, step by step"),
          h("ol", null, findings.map((each, i) => h("li", { key: i }, h(Bearing, { bearing: each.bearing }), inert(words(each.topic)), ": ", inert(each.text)))),
        )
      : null,
    h("details", { class: "panel" }, h("summary", null, "Line of the decision log"), h("pre", null, inert(JSON.stringify(line, null, 2)))),
  );
}

/** @param {{bearing: "note" | "pass" | "warn" | "fail"}} props a sign, and for who does not see it a word */
function Bearing({ bearing }) {
  const [sign, kind] = { note: ["·", "soft"], pass: ["✓", "good"], warn: ["!", "soft"], fail: ["✕", "bad"] }[bearing] ?? ["·", "soft"];
  return h("span", { class: kind }, h("span", { "aria-hidden": "true" }, `${sign} `), bearing === "note" ? null : h("span", { class: "unseen" }, `${bearing}: `));
}

/** @param {{review: import("../types.js").ItemRef, session: Session}} props */
function Kept({ review, session }) {
  /** @type {import("../parts/hooks.js").Loaded<ReviewItem>} */
  const loaded = useLoaded(`/review/${segment(review.sidecar)}/${segment(review.id)}`);
  const tries = session.features.includes("judgement") && (session.roles.includes("reviewer") || session.roles.includes("operator"));
  return h(
    "section",
    { "aria-label": "The held message" },
    h("p", null, h("a", { href: address("review", review.sidecar, review.id) }, "Open it in the review queue")),
    loadedPart({
      loaded,
      what: "its words",
      children: (/** @type {ReviewItem} */ item) =>
        h(Drafts, { question: item.question, drafts: draftsOf(item), tryWith: tries ? { sidecar: item.sidecar, review: item.id } : undefined }),
    }),
  );
}

/**
 * Every draft, the held one last; an item of before drafts were kept has only that.
 * @param {ReviewItem} item
 */
export function draftsOf(item) {
  if (item.drafts.length) return item.drafts;
  const { answer, evidence, judgement } = item;
  return [{ attempt: item.attempts ?? 1, answer, evidence, ...(judgement ? { judgement } : {}) }];
}
