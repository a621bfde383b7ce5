/**
 * Rounds: members, what they proposed, the angles between them, the outcome, equivocations.
 * @import {Round} from "../types.js"
 */
import { h } from "preact";
import { segment } from "../api.js";
import { capital, count, number, plural, short, words } from "../format.js";
import { useLoaded } from "../parts/hooks.js";
import { Empty, Facts, loadedPart, Note, Table, Time, inert } from "../parts/ui.js";
import { Words } from "../parts/words.js";
import { address } from "../route.js";

const EVERY_MS = 10_000;

/** @param {{parts: string[]}} props */
export function RoundsPage({ parts }) {
  const key = parts[1];
  return key ? h(One, { id: key, key }) : h(All, null);
}

/** @param {Round} round */
function outcome(round) {
  const { outcome: end } = round;
  if (!end?.kind) return "open";
  return `${capital(words(end.kind))}${end.verdict ? `: ${end.verdict}` : end.reason ? `: ${words(end.reason)}` : ""}`;
}

function All() {
  /** @type {import("../parts/hooks.js").Loaded<{rounds: Round[]}>} */
  const loaded = useLoaded("/rounds", EVERY_MS);
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, "Rounds"), h("p", null, "Agents decide one question together")),
    loadedPart({
      loaded,
      what: "the rounds",
      children: (/** @type {{rounds: Round[]}} */ { rounds }) =>
        rounds.length === 0
          ? h(Empty, { title: "No round yet." }, "A route with a round, or ", h("code", null, "parlance round open"), ", begins one.")
          : h(Table, {
              caption: `${plural(rounds.length, "round")}, latest first`,
              columns: [{ name: "Round" }, { name: "Epoch", number: true }, { name: "State" }, { name: "Outcome" }, { name: "Proposed", number: true }, { name: "Members" }, { name: "Opened" }],
              rows: rounds.map((round) => ({
                key: `${round.key}`,
                cells: [
                  h("a", { href: address("rounds", round.key) }, inert(round.round)),
                  count(round.epoch),
                  words(round.state),
                  inert(outcome(round)),
                  `${count(round.proposed)} of ${round.members.length}`,
                  inert(round.members.join(", ")),
                  h(Time, { ms: round.openedAtMs }),
                ],
              })),
            }),
    }),
  );
}

/** @param {{id: string}} props */
function One({ id }) {
  /** @type {import("../parts/hooks.js").Loaded<Round>} */
  const loaded = useLoaded(`/rounds/${segment(id)}`, EVERY_MS);
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, loaded.value ? inert(loaded.value.round) : "Round"), h("p", null, h("a", { href: address("rounds") }, "All rounds"))),
    loadedPart({ loaded, what: "the round", children: (/** @type {Round} */ round) => h(Detail, { round }) }),
  );
}

/** @param {{round: Round}} props */
function Detail({ round }) {
  const { outcome: end, proposals = [], angles = [] } = round;
  const twice = proposals.filter((each) => each.standing === "equivocated");
  return h(
    "div",
    null,
    twice.length
      ? h(Note, { kind: "warning", title: `${plural(twice.length, "member has", "members have")} said two things` }, h("p", null, inert(twice.map((each) => each.agent).join(", ")), ": neither of the two counts."))
      : null,
    h(
      "section",
      { class: "panel" },
      h("h2", null, inert(outcome(round))),
      h(Facts, {
        rows: [
          ["Epoch", String(round.epoch)],
          ["State", words(round.state)],
          ["Opened", h(Time, { ms: round.openedAtMs })],
          ["Deadline", h(Time, { ms: round.deadlineAtMs })],
          ["Faults borne", round.faults === undefined ? undefined : String(round.faults)],
          ["Least cosine", round.cosMin === undefined ? undefined : number(round.cosMin, 3)],
          ["Found cosine", end?.minCos === undefined ? undefined : number(end.minCos, 3)],
          ["Support", end?.support === undefined ? undefined : `${end.support}${end.runnerUp === undefined ? "" : `, the next one ${end.runnerUp}`}`],
          ["Core", end?.core?.length ? inert(end.core.join(", ")) : undefined],
          ["Ledger", end?.ledgerIndex === undefined ? undefined : h("a", { href: address("ledger", end.ledgerIndex) }, `entry ${end.ledgerIndex}`)],
        ],
      }),
    ),
    proposals.length
      ? h(Table, {
          caption: "Members and what they proposed",
          columns: [{ name: "Member" }, { name: "Verdict" }, { name: "Standing" }, { name: "Text's digest" }],
          rows: proposals.map((each, i) => ({
            key: `${each.agent}/${i}`,
            cells: [inert(each.agent), inert(each.verdict ?? "–"), each.standing ? words(each.standing) : "–", h("code", { title: each.textSha256 }, short(each.textSha256 ?? "–"))],
          })),
        })
      : h(Empty, { title: "No proposal yet." }, "Members are asked until the deadline."),
    proposals.some((each) => each.rationale)
      ? h(
          "section",
          { class: "panel" },
          h("h2", null, "Reasons they gave"),
          proposals.map((each, i) => (each.rationale ? h("div", { key: i }, h("h3", null, inert(each.agent)), h(Words, { text: each.rationale, label: `Reason of member ${i + 1}` })) : null)),
        )
      : null,
    angles.length
      ? h(Table, {
          caption: "Angles between proposals (0° is the same meaning)",
          columns: [{ name: "One" }, { name: "Other" }, { name: "Angle", number: true }, { name: "Cosine", number: true }],
          rows: angles.map((each) => ({ key: `${each.a}/${each.b}`, cells: [inert(each.a), inert(each.b), `${number(each.degrees, 1)}°`, number(each.cos, 3)] })),
        })
      : null,
  );
}
