// The pure parts of the pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Buckets, pairOf } from "./web/js/buckets.js";
import { EVERYTHING, choices, fits, merge } from "./web/js/filters.js";
import { ago, duration } from "./web/js/format.js";
import { actOf } from "./web/js/keys.js";
import { answerMarks, evidenceMarks, orderedEvidence, unsupported } from "./web/js/marks.js";
import { WAITING, changed, identicalTo, neighbour, searchOf, steady } from "./web/js/queue.js";
import { credential, partsOf } from "./web/js/route.js";
import { cutAt, line, nextCut, runs, segments, utf16Offsets } from "./web/js/text.js";

const encoder = new TextEncoder();

/** A small generator with a seed: the same texts in every run. */
function seeded(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("byte offsets become the same offsets that cutting the UTF-8 gives, for any text", () => {
  const random = seeded(7);
  const letters = ["a", "é", "€", "🦄", "\u202E", "\n", "م", "\u{10FFFF}"];
  for (let round = 0; round < 300; round++) {
    const characters = Array.from({ length: random(40) }, () => letters[random(letters.length)]);
    const text = characters.join("");
    const starts = [0];
    for (const each of characters) starts.push(starts.at(-1) + encoder.encode(each).length);
    const found = utf16Offsets(text, starts);
    for (const [i, start] of starts.entries()) {
      assert.equal(found.get(start), characters.slice(0, i).join("").length);
    }
  }
});

test("an offset inside a character is its start, one past the end is the end, half a pair is three bytes", () => {
  assert.deepEqual([...utf16Offsets("a🦄b", [2, 5, 6, 99]).values()], [1, 3, 4, 4]);
  assert.equal(utf16Offsets("\ud83dxy", [4]).get(4), 2);
});

test("segments join to the text, whatever the marks, and each has the marks over it", () => {
  const random = seeded(11);
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: random(30) }, () => ["x", "ü", "🦄"][random(3)]).join("");
    const size = encoder.encode(text).length;
    const marks = Array.from({ length: random(6) }, () => {
      const from = random(size + 1);
      return { from, to: from + random(size + 3), kind: "nowhere" };
    });
    const limit = random(text.length + 2);
    const parts = segments(text, marks, limit);
    assert.equal(parts.map((part) => part.text).join(""), text.slice(0, cutAt(text, limit)));
  }
  const parts = segments("ab🦄cd", [{ from: 1, to: 6, kind: "a" }, { from: 2, to: 7, kind: "b" }]);
  assert.deepEqual(parts.map((part) => [part.text, part.marks.map((mark) => mark.kind).join("")]), [["a", ""], ["b", "a"], ["🦄", "ab"], ["c", "b"], ["d", ""]]);
});

test("a cut splits no character, and few steps show a megabyte", () => {
  assert.equal(cutAt("a🦄", 2), 1);
  let shown = 4_000;
  let steps = 0;
  while (shown < 1_048_576) {
    shown = nextCut(shown, 1_048_576);
    steps++;
  }
  assert.ok(steps <= 4, `${steps} steps`);
});

test("what a reader would not see is named, what languages need is left", () => {
  assert.deepEqual(runs("a\u202Eb\u0000"), [
    { text: "a", hidden: false },
    { text: "U+202E", hidden: true, name: "right-to-left override" },
    { text: "b", hidden: false },
    { text: "U+0000", hidden: true, name: "null" },
  ]);
  assert.deepEqual(runs("\u{E0041}").map((run) => run.text), ["U+E0041"]);
  for (const plain of ["a\n\tb", "👩‍👩‍👧", "می‌خواهم", "x\r\ny"]) assert.ok(runs(plain).every((run) => !run.hidden), plain);
  assert.equal(line("a\n\u202E b\u0007  c", 20), "a b c");
  assert.equal(line("x".repeat(100_000), 10).length, 10);
});

test("a key means its act on the page, nothing in a field, and a held key decides once", () => {
  const press = (key, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
  assert.equal(actOf(press("a"), "page", true), "approve");
  assert.equal(actOf(press("a"), "control", true), "approve");
  assert.equal(actOf(press("a"), "words", true), undefined);
  assert.equal(actOf(press("a", { ctrlKey: true }), "page", true), undefined);
  assert.equal(actOf(press("a"), "page", false), undefined, "letters are off");
  assert.equal(actOf(press("a", { repeat: true }), "page", true), undefined);
  assert.equal(actOf(press("j", { repeat: true }), "page", true), "next");
  assert.equal(actOf(press("Enter"), "page", false), "open");
  assert.equal(actOf(press("Enter"), "control", true), undefined, "the control itself has it");
  assert.equal(actOf(press("Escape"), "words", true), "close");
  assert.equal(actOf(press("x"), "page", true), undefined);
});

const DECISION = { id: "1", sidecar: "s", tsMs: 10_000, route: "warn", reasons: ["ok"], agent: "Billing", peer: "shop", direction: "inbound", kind: "request", drift: 0.5 };

test("filters of the Live page fit alone and together", () => {
  assert.ok(fits(DECISION, EVERYTHING));
  assert.ok(fits(DECISION, { ...EVERYTHING, agent: " bill ", route: "warn", reason: "ok", direction: "inbound", sidecar: "s" }));
  for (const not of [{ agent: "x" }, { route: "yield" }, { reason: "no" }, { direction: "outbound" }, { sidecar: "t" }]) {
    assert.ok(!fits(DECISION, { ...EVERYTHING, ...not }), JSON.stringify(not));
  }
  assert.deepEqual(choices({ a: 1, b: 3 }, "c"), [["b", 3], ["a", 1], ["c", 0]]);
});

test("decisions that come twice are there once, newest first, bounded", () => {
  const at = (id, tsMs) => ({ ...DECISION, id, tsMs });
  const merged = merge([at("3", 3), at("2", 2), at("3", 3)], [at("2", 2), at("1", 1)], 2);
  assert.deepEqual(merged.map((each) => each.id), ["3", "2"]);
  const old = [at("1", 1)];
  assert.equal(merge([at("1", 1)], old, 5), old);
});

test("buckets count routes, take the mean of drift per pair, and are bounded in time and pairs", () => {
  const buckets = new Buckets(1_000, 10, 2);
  for (const [pair, drift] of [["a", 0.2], ["a", 0.4], ["b", 0.1], ["c", 0.9]]) buckets.add({ ...DECISION, peer: pair, drift });
  assert.deepEqual(buckets.routes(10_000).routes.warn, [4]);
  const { pairs } = buckets.drift(10_000);
  assert.deepEqual(pairs.map((each) => each.pair), ["a → Billing", "b → Billing"]);
  assert.ok(Math.abs(pairs[0].drift[0] - 0.3) < 1e-9);
  assert.equal(buckets.left, 1);
  buckets.add({ ...DECISION, tsMs: 60_000 });
  assert.equal(buckets.kept.size, 1, "old buckets go");
  buckets.add({ ...DECISION, tsMs: 10_000 });
  assert.equal(buckets.kept.size, 1, "what is too old is not taken");
  assert.ok(buckets.routes(61_000).at.length <= 10);
});

test("the sender of a message stands first", () => {
  const say = (direction, kind) => pairOf({ ...DECISION, direction, kind });
  assert.equal(say("inbound", "request"), "shop → Billing");
  assert.equal(say("inbound", "response"), "Billing → shop");
  assert.equal(say("outbound", "request"), "Billing → shop");
  assert.equal(say("outbound", "response"), "shop → Billing");
});

const JUDGED = {
  route: "regenerate",
  reasons: [],
  words: [
    { from: 0, to: 2, kind: "word", evidence: { chunk: 1, from: 4, to: 6 } },
    { from: 3, to: 5, kind: "number" },
    { from: 6, to: 8, kind: "word", question: { from: 0, to: 2 } },
    { from: 12, to: 14, kind: "number", again: true },
  ],
  citations: [{ from: 9, to: 11, ids: [{ id: "c9" }] }],
  claims: [{ from: 0, to: 8, weak: true, nearest: { chunk: 1, from: 0, to: 9 }, cites: [0], changes: [{ code: "number_changed", sentence: "", from: 3, to: 5, instead: { chunk: 1, from: 7, to: 9 } }] }],
};

test("marks of an answer are the words that stand nowhere or only in the question, changes, citations, sentences", () => {
  const kinds = answerMarks(JUDGED).map((mark) => `${mark.kind} ${mark.from}`);
  assert.deepEqual(kinds, ["claim 0", "weak 0", "changed 3", "nowhere 3", "question 6", "nowhere 12", "unknown 9"]);
  assert.equal(unsupported(JUDGED), 1, "each word once");
  assert.deepEqual(answerMarks(undefined), []);
});

test("a picked sentence marks where it stands, and its chunks come first", () => {
  assert.deepEqual(evidenceMarks(JUDGED, 0, 1).map((mark) => mark.kind), ["near", "exact", "changed"]);
  assert.deepEqual(evidenceMarks(JUDGED, 0, 0), []);
  assert.deepEqual(evidenceMarks(JUDGED, undefined, 1), []);
  const evidence = ["a", "b", "c"].map((id) => ({ id, text: id }));
  assert.deepEqual(orderedEvidence(evidence, JUDGED, 0).map((each) => each.index), [0, 1, 2]);
  const far = { ...JUDGED, claims: [{ from: 0, to: 8, nearest: { chunk: 2, from: 0, to: 1 } }] };
  assert.deepEqual(orderedEvidence(evidence, far, 0).map((each) => each.index), [2, 0, 1]);
});

test("a search has what was set, and no figure that is none", () => {
  assert.deepEqual(searchOf(WAITING, 100), { limit: 100, state: "pending" });
  const filter = { ...WAITING, state: "", text: " x ", minGrounding: "0.2", maxGrounding: "7", mine: true };
  assert.deepEqual(searchOf(filter, 5, "c"), { limit: 5, text: "x", minGrounding: 0.2, mine: true, after: "c" });
});

test("rows keep their places when the queue is searched again; what one has decided stays", () => {
  const row = (id, state = "pending") => ({ sidecar: "s", id, state });
  const next = steady([row("1"), row("2"), row("3")], [row("4"), row("3", "decided")], new Set(["s/1"]));
  assert.deepEqual(next.map((each) => `${each.id} ${each.state}`), ["1 pending", "3 decided", "4 pending"]);
  const other = { sidecar: "t", id: "9", state: "pending" };
  assert.deepEqual(steady([row("1"), other], [row("2")], new Set(), ["t"]).map((each) => each.id), ["9", "2"], "a sidecar that does not answer has not lost its items");
  const told = changed([row("1")], { sidecar: "s", id: "1", state: "pending", claim: { who: "bob", untilMs: 1 } });
  assert.equal(told[0].claim.who, "bob");
  assert.equal(changed(told, { sidecar: "s", id: "1", state: "pending" })[0].claim, undefined);
  assert.equal(changed(told, { sidecar: "t", id: "1", state: "expired" }), told);
});

test("the same act is for items of the very same text that wait and are nobody else's", () => {
  const row = (id, more = {}) => ({ sidecar: "s", id, state: "pending", textSha256: "x", ...more });
  const rows = [row("1"), row("2", { claim: { who: "bob", untilMs: 1 } }), row("3", { textSha256: "y" }), row("4", { state: "released" }), row("5", { claim: { who: "me", untilMs: 1, mine: true } })];
  assert.deepEqual(identicalTo(rows, rows[0]).map((each) => each.id), ["1", "5"]);
  assert.deepEqual(identicalTo(rows, { ...rows[0], textSha256: undefined }), []);
});

test("j and k lead through the rows and stop at both ends", () => {
  const rows = ["1", "2"].map((id) => ({ sidecar: "s", id }));
  assert.equal(neighbour(rows, undefined, 1).id, "1");
  assert.equal(neighbour(rows, undefined, -1).id, "2");
  assert.equal(neighbour(rows, "s/1", 1).id, "2");
  assert.equal(neighbour(rows, "s/2", 1).id, "2");
  assert.equal(neighbour([], "s/2", 1), undefined);
});

test("an address is read as its parts, a link as what it logs in with", () => {
  assert.deepEqual(partsOf("#/review/a%2Fb/r-1"), ["review", "a/b", "r-1"]);
  assert.deepEqual(partsOf("#/review/%zz"), ["review", "%zz"]);
  assert.deepEqual(partsOf("#page"), []);
  assert.deepEqual(credential("#code=x"), { code: "x" });
  assert.deepEqual(credential("#/link/y.z"), { link: "y.z" });
  assert.equal(credential("#/live"), undefined);
});

test("times are said in the largest unit", () => {
  assert.equal(duration(59_999), "59 s");
  assert.equal(duration(7_200_000), "2 h");
  assert.equal(duration(30 * 86_400_000), "30 d");
  assert.equal(ago(1_000, 61_000), "1 min ago");
  assert.equal(ago(61_000, 1_000), "in 1 min");
  assert.equal(ago(undefined, 1), "–");
});
