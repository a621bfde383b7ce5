/**
 * Ledger: its checkpoint, whether it holds, and an entry with its proof.
 * @import {Ledger, LedgerEntry, Session} from "../types.js"
 */
import { h } from "preact";
import { useState } from "preact/hooks";
import { query, segment } from "../api.js";
import { count, plural, short, words } from "../format.js";
import { useLoaded } from "../parts/hooks.js";
import { Button, Empty, Facts, loadedPart, Note, Table, inert } from "../parts/ui.js";
import { address } from "../route.js";

const EVERY_MS = 30_000;
const LIMIT = 50;

/** @param {{session: Session, parts: string[]}} props */
export function LedgerPage({ session, parts }) {
  const auditor = session.roles.includes("auditor");
  return h(
    "div",
    null,
    h("div", { class: "title" }, h("h1", null, "Ledger"), h("p", null, parts[1] ? h("a", { href: address("ledger") }, "Checkpoint and entries") : "What was decided, in an order that nobody can change unseen")),
    parts[1]
      ? auditor
        ? h(Entry, { index: parts[1], key: parts[1] })
        : h(NoAuditor, { session })
      : h("div", null, h(Checkpoint, null), auditor ? h(Entries, null) : h(NoAuditor, { session })),
  );
}

/** @param {{session: Session}} props */
function NoAuditor({ session }) {
  return h(Empty, { title: "Entries are shown to auditors." }, `Your roles are ${session.roles.join(", ")}. Whoever runs the console gives roles.`);
}

function Checkpoint() {
  /** @type {import("../parts/hooks.js").Loaded<Ledger>} */
  const loaded = useLoaded("/ledger", EVERY_MS);
  return loadedPart({
    loaded,
    what: "the checkpoint",
    children: (/** @type {Ledger} */ ledger) =>
      h(
        "section",
        { class: "panel" },
        h("h2", null, "Checkpoint"),
        ledger.signed && ledger.extends !== false
          ? h("p", { class: "good" }, `✓ Signed by the ledger's key${ledger.extends ? `, and proven to extend the ${plural(ledger.since ?? 0, "entry", "entries")} seen before` : ""}.`)
          : h(Note, { kind: "error", title: "This checkpoint does not hold." }, h("p", null, ledger.signed ? "It does not extend what this console saw before: history was changed." : "Its signature is not of the ledger's key.", " Stop relying on it, and run ", h("code", null, "parlance ledger verify"), ".")),
        h(Facts, {
          rows: [
            ["Origin", inert(ledger.origin)],
            ["Entries", count(ledger.size)],
            ["Root", h("code", null, ledger.rootHash)],
            ["Key", h("code", null, inert(ledger.verifierKey))],
          ],
        }),
        h("details", null, h("summary", null, "Signed note"), h("pre", null, inert(ledger.checkpoint))),
      ),
  });
}

function Entries() {
  const [before, setBefore] = useState(/** @type {number | undefined} */ (undefined));
  /** @type {import("../parts/hooks.js").Loaded<{entries: LedgerEntry[]}>} */
  const loaded = useLoaded(`/ledger/entries${query({ limit: LIMIT, before })}`, before === undefined ? EVERY_MS : undefined);
  return loadedPart({
    loaded,
    what: "the entries",
    children: (/** @type {{entries: LedgerEntry[]}} */ { entries }) => {
      const oldest = entries[entries.length - 1];
      return entries.length === 0
        ? h(Empty, { title: before === undefined ? "The ledger is empty." : "There are no older entries." }, "")
        : h(
            "div",
            null,
            h(Table, {
              caption: "Entries, latest first",
              columns: [{ name: "Index" }, { name: "Kind" }, { name: "Leaf" }],
              rows: entries.map((entry) => ({
                key: String(entry.index),
                cells: [h("a", { href: address("ledger", entry.index) }, String(entry.index)), inert(words(entry.kind)), h("code", null, short(entry.leafHash ?? "–", 24))],
              })),
            }),
            h(
              "div",
              { class: "bar" },
              oldest && oldest.index > 0 ? h(Button, { label: "Older", onClick: () => setBefore(oldest.index) }) : null,
              before === undefined ? null : h(Button, { label: "Latest", onClick: () => setBefore(undefined) }),
            ),
          );
    },
  });
}

/** @param {{index: string}} props */
function Entry({ index }) {
  /** @type {import("../parts/hooks.js").Loaded<LedgerEntry>} */
  const loaded = useLoaded(`/ledger/entries/${segment(index)}`);
  return loadedPart({
    loaded,
    what: "the entry",
    children: (/** @type {LedgerEntry} */ entry) =>
      h(
        "section",
        { class: "panel" },
        h("h2", null, `Entry ${entry.index}: `, inert(words(entry.kind))),
        entry.proof
          ? h(
              "div",
              null,
              entry.proof.holds
                ? h("p", { class: "good" }, `✓ Its proof leads to the root of ${plural(entry.proof.treeSize, "entry", "entries")}.`)
                : h(Note, { kind: "error", title: "Its proof does not lead to the root." }, h("p", null, "The ledger's storage has been changed. Run ", h("code", null, "parlance ledger verify"), " to find where.")),
              h(Facts, { rows: [["Leaf", h("code", null, entry.leafHash ?? "–")], ["Root", h("code", null, entry.proof.rootHash)]] }),
              h("details", null, h("summary", null, `Path (${entry.proof.path.length})`), h("ol", null, entry.proof.path.map((hash, i) => h("li", { key: i }, h("code", null, hash))))),
            )
          : null,
        h("h3", null, "What it says"),
        h("pre", null, inert(JSON.stringify(entry.entry ?? {}, null, 2))),
      ),
  });
}
