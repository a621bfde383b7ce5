/**
 * Pacts: what two parties promised, which predicates held and which broke, how it ended, what they have earned by it,
 * and what waits for an arbiter because they found nothing.
 * @import {Case, Pact, PactScore} from "../types.js"
 */
import { h } from "preact";
import { capital, count, number, plural, short, words } from "../format.js";
import { useLoaded } from "../parts/hooks.js";
import { Empty, Facts, loadedPart, Note, Table, Time, inert } from "../parts/ui.js";
import { address } from "../route.js";

const EVERY_MS = 10_000;

/** The second part of the address of a case. */
const CASE = "case";

/** @typedef {{pacts: Pact[], scores: PactScore[], cases: Case[]}} Pacts */

/** @param {{parts: string[]}} props */
export function PactsPage({ parts }) {
  /** @type {import("../parts/hooks.js").Loaded<Pacts>} */
  const loaded = useLoaded("/pacts", EVERY_MS);
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, "Pacts"), h("p", null, parts[1] ? h("a", { href: address("pacts") }, "All pacts") : "What agents promised each other, and kept")),
    loadedPart({ loaded, what: "the pacts", children: (/** @type {Pacts} */ value) => shown(value, parts) }),
  );
}

/**
 * @param {Pacts} value
 * @param {string[]} parts
 */
function shown(value, [, id, initiator, negotiation]) {
  if (id === CASE && initiator && negotiation) return h(OneCase, { value, initiator, negotiation });
  return id ? h(One, { value, id }) : h(All, { value });
}

/** @param {Pact} pact */
function tally(pact) {
  const messages = (pact.observations ?? []).reduce((sum, each) => sum + each.messages, 0);
  const broken = (pact.observations ?? []).reduce((sum, each) => sum + Object.values(each.violations).reduce((a, b) => a + b, 0), 0);
  return { messages, broken };
}

/** @param {{value: Pacts}} props */
function All({ value: { pacts, scores, cases } }) {
  return h("div", null, cases.length ? h(Cases, { cases }) : null, h(Made, { pacts, scores }));
}

/** @param {{cases: Case[]}} props */
function Cases({ cases }) {
  const waiting = cases.filter((each) => each.state === "waiting");
  return h(
    "div",
    null,
    waiting.length ? h(Note, { kind: "warning", title: `Waiting for an arbiter: ${waiting.length}` }, h("p", null, "Requests between the parties are refused until it has decided.")) : null,
    h(Table, {
      caption: `${plural(cases.length, "negotiation")} handed to arbiters, newest first`,
      columns: [{ name: "Negotiation" }, { name: "Parties" }, { name: "Arbiter" }, { name: "State" }, { name: "Handed over" }, { name: "Until" }],
      rows: cases.map((each) => ({
        key: `${each.initiator}/${each.negotiation}`,
        cells: [
          h("a", { href: address("pacts", CASE, each.initiator, each.negotiation) }, h("code", null, inert(short(each.negotiation, 16)))),
          inert(`${each.initiator} → ${each.responder}`),
          inert(each.arbiter),
          words(each.state),
          h(Time, { ms: each.escalatedAtMs }),
          h(Time, { ms: each.untilMs }),
        ],
      })),
    }),
  );
}

/** @param {{value: Pacts, initiator: string, negotiation: string}} props */
function OneCase({ value, initiator, negotiation }) {
  const found = value.cases.find((each) => each.initiator === initiator && each.negotiation === negotiation);
  if (!found) return h(Empty, { title: "This negotiation is not among the latest ones that were handed to an arbiter." }, h("code", null, "parlance pact case list"), " lists more.");
  return h(
    "div",
    null,
    h(
      "section",
      { class: "panel" },
      h("h2", null, inert(`${found.initiator} → ${found.responder}`)),
      h(Facts, {
        rows: [
          ["Negotiation", h("code", null, inert(found.negotiation))],
          ["Arbiter", inert(found.arbiter)],
          ["State", capital(words(found.state))],
          ["Handed over", h(Time, { ms: found.escalatedAtMs })],
          ["Until", h(Time, { ms: found.untilMs })],
          ["Its pact", found.state === "attested" ? h("a", { href: address("pacts", found.pact) }, h("code", null, inert(found.pact))) : h("code", null, inert(found.pact))],
          ["Decision", ["decided", "refused", "attested"].includes(found.state) ? h("code", null, inert(found.decision)) : undefined],
        ],
      }),
    ),
    found.state === "waiting"
      ? h(
          Note,
          { title: "The arbiter decides, not this page" },
          h("p", null, "The decision is signed with the arbiter's key, which the console does not have. Where that key is:"),
          h("pre", null, `parlance pact case decide ${found.negotiation} --set CLAUSE=BODY --key KEY-OF-ARBITER\nparlance pact case decide ${found.negotiation} --refuse --key KEY-OF-ARBITER`),
          h("p", { class: "soft" }, "What each party's policy takes of an arbiter stands in its sidecar's file alone: a decision beyond it is signed by nobody."),
        )
      : null,
    h(Table, {
      caption: "Clauses as they stood when both asked for the arbiter",
      columns: [{ name: "Clause" }, { name: "Category" }, { name: "Body" }, { name: `${found.initiator} offered last` }, { name: `${found.responder} offered last` }],
      rows: (found.clauses ?? []).map((each) => {
        const both = found.offers?.find((one) => one.predicate === each.id);
        const agreed = both ? "–" : "as it stands";
        return {
          key: each.id,
          cells: [inert(each.id), inert(each.category), h("code", null, inert(each.body)), both?.ours ? h("code", null, inert(both.ours)) : agreed, both?.theirs ? h("code", null, inert(both.theirs)) : agreed],
        };
      }),
    }),
  );
}

/** @param {{pacts: Pact[], scores: PactScore[]}} props */
function Made({ pacts, scores }) {
  if (pacts.length === 0) return h(Empty, { title: "No pact yet." }, "A route that asks for one makes its agents negotiate it before they speak.");
  return h(
    "div",
    null,
    h(Table, {
      caption: `${plural(pacts.length, "pact")}, newest first`,
      columns: [{ name: "Pact" }, { name: "Parties" }, { name: "State" }, { name: "Messages", number: true }, { name: "Broken", number: true }, { name: "Ended" }, { name: "Why" }],
      rows: pacts.map((pact) => {
        const { messages, broken } = tally(pact);
        return {
          key: pact.id,
          cells: [
            h("a", { href: address("pacts", pact.id) }, h("code", null, inert(short(pact.id, 16)))),
            inert(pact.parties.join(" ↔ ")),
            words(pact.state),
            count(messages),
            broken ? h("span", { class: "bad" }, `✕ ${broken}`) : "0",
            h(Time, { ms: pact.endMs }),
            pact.reason ? inert(words(pact.reason)) : "–",
          ],
        };
      }),
    }),
    scores.length
      ? h(Table, {
          caption: "Scores of parties, from pacts that ended",
          columns: [{ name: "Party" }, { name: "Scope honesty", number: true }, { name: "Reliability", number: true }, { name: "Pacts that count", number: true }],
          rows: scores.map((score) => ({ key: score.party, cells: [inert(score.party), number(score.scopeHonesty), number(score.reliability), count(score.counted)] })),
        })
      : null,
  );
}

/** @param {{value: Pacts, id: string}} props */
function One({ value, id }) {
  const pact = value.pacts.find((each) => each.id === id);
  if (!pact) return h(Empty, { title: "This pact is not among the latest ones." }, "The ledger keeps it: look for its entry there.");
  const rows = (pact.observations ?? []).flatMap((each) => {
    const broken = Object.entries(each.violations);
    const kept = { key: `${each.party}/${each.observer}`, cells: [inert(each.party), inert(each.observer), count(each.messages), broken.length ? "" : h("span", { class: "good" }, "✓ all held"), ""] };
    return broken.length
      ? broken.map(([predicate, many]) => ({ key: `${each.party}/${each.observer}/${predicate}`, cells: [inert(each.party), inert(each.observer), count(each.messages), inert(words(predicate)), h("span", { class: "bad" }, `✕ ${many} times`)] }))
      : [kept];
  });
  return h(
    "div",
    null,
    h(
      "section",
      { class: "panel" },
      h("h2", null, inert(pact.parties.join(" ↔ "))),
      h(Facts, {
        rows: [
          ["Pact", h("code", null, inert(pact.id))],
          ["State", capital(words(pact.state))],
          ["From", h(Time, { ms: pact.startMs })],
          ["To", pact.endMs === undefined ? "still in force" : h(Time, { ms: pact.endMs })],
          ["Ended because", pact.reason ? inert(words(pact.reason)) : undefined],
          ["Responsible", pact.responsible ? inert(pact.responsible) : undefined],
          ["Ledger", pact.ledgerIndex === undefined ? undefined : h("a", { href: address("ledger", pact.ledgerIndex) }, `entry ${pact.ledgerIndex}`)],
        ],
      }),
    ),
    rows.length
      ? h(Table, { caption: "Predicates, as each side has observed the other", columns: [{ name: "Party" }, { name: "Seen by" }, { name: "Messages", number: true }, { name: "Predicate" }, { name: "Broken" }], rows })
      : h(Empty, { title: "Nothing was observed yet." }, "Messages under this pact are counted here."),
    pact.terms ? h("details", { class: "panel" }, h("summary", null, "Its clauses, as signed"), h("pre", null, inert(JSON.stringify(pact.terms, null, 2)))) : null,
  );
}
