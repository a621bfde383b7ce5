/**
 * Pacts: what two parties promised, which predicates held and which broke, how it ended, what they have earned by it.
 * @import {Pact, PactScore} from "../types.js"
 */
import { h } from "preact";
import { capital, count, number, plural, short, words } from "../format.js";
import { useLoaded } from "../parts/hooks.js";
import { Empty, Facts, loadedPart, Table, Time, inert } from "../parts/ui.js";
import { address } from "../route.js";

const EVERY_MS = 10_000;

/** @typedef {{pacts: Pact[], scores: PactScore[]}} Pacts */

/** @param {{parts: string[]}} props */
export function PactsPage({ parts }) {
  /** @type {import("../parts/hooks.js").Loaded<Pacts>} */
  const loaded = useLoaded("/pacts", EVERY_MS);
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, "Pacts"), h("p", null, parts[1] ? h("a", { href: address("pacts") }, "All pacts") : "What agents promised each other, and kept")),
    loadedPart({ loaded, what: "the pacts", children: (/** @type {Pacts} */ value) => (parts[1] ? h(One, { value, id: parts[1] }) : h(All, { value })) }),
  );
}

/** @param {Pact} pact */
function tally(pact) {
  const messages = (pact.observations ?? []).reduce((sum, each) => sum + each.messages, 0);
  const broken = (pact.observations ?? []).reduce((sum, each) => sum + Object.values(each.violations).reduce((a, b) => a + b, 0), 0);
  return { messages, broken };
}

/** @param {{value: Pacts}} props */
function All({ value: { pacts, scores } }) {
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
