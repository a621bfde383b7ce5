/**
 * Review: the held messages of all sidecars as one queue, and one of them beside it.
 * @import {Problem, ReviewAct, ReviewChange, ReviewItem, ReviewPage as Found, ReviewSummary, Session} from "../types.js"
 * @import {ItemControls} from "../parts/item.js"
 */
import { h } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get, post, segment } from "../api.js";
import { keyOf } from "../filters.js";
import { ago, capital, count, number, plural, words } from "../format.js";
import { Item, doAct } from "../parts/item.js";
import { useEvent, useKept, useKeys, useLoaded, useNow } from "../parts/hooks.js";
import { ReviewFigures, ReviewFilters } from "../parts/reviewfilters.js";
import { Button, Empty, Note, ProblemNote, inert, say } from "../parts/ui.js";
import { WAITING, changed, decides, identicalTo, neighbour, replaced, searchOf, steady } from "../queue.js";
import { address } from "../route.js";
import { line } from "../text.js";

const LIMIT = 200;
/** How soon a filter that is being typed, and a change that was told, lead to a search. */
const TYPED_MS = 300;
const TOLD_MS = 1_500;

/**
 * What this person decided last, and can still undo.
 * @typedef {object} Latest
 * @property {ReviewItem} item
 * @property {ReviewAct} act
 * @property {{sidecar: string, id: string}[]} all those that were decided with it at once; empty: it alone
 */

/**
 * What became of an act on several items.
 * @param {unknown} value
 */
function sorted(value) {
  const { results } = /** @type {{results: {item: {sidecar: string, id: string}, done: boolean, problem?: Problem}[]}} */ (value);
  return { done: results.filter((each) => each.done).map((each) => each.item), failed: results.filter((each) => !each.done) };
}

/**
 * @param {{problem?: Problem}[]} failed
 * @param {string} what
 * @returns {Problem | undefined}
 */
function someFailed(failed, what) {
  return failed.length ? { status: 409, code: "some_failed", title: `${plural(failed.length, "item")} could not be ${what}: ${failed[0]?.problem?.title ?? "no reason was given"}` } : undefined;
}

/** @param {{session: Session, parts: string[]}} props */
export function ReviewPage({ session, parts }) {
  const [, sidecar, id] = parts;
  const at = sidecar && id ? keyOf({ sidecar, id }) : undefined;
  const [filter, setFilter] = useKept("parlance.review", WAITING);
  const queue = useQueue(filter, at);
  const { rows, setRows } = queue;
  const [turn, setTurn] = useState(0);
  const [latest, setLatest] = useState(/** @type {Latest | undefined} */ (undefined));
  const controls = useRef(/** @type {ItemControls | undefined} */ (undefined));
  const waiting = useRef(/** @type {{name: "claim" | "approve" | "reject" | "undo", at: string | undefined} | undefined} */ (undefined));
  const search = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @type {import("../parts/hooks.js").Loaded<ReviewItem>} */
  const opened = useLoaded(sidecar && id ? `/review/${segment(sidecar)}/${segment(id)}` : undefined);
  const item = opened.value && keyOf(opened.value) === at ? opened.value : undefined;
  const [own, setOwn] = useState(/** @type {ReviewItem | undefined} */ (undefined));
  const shown = own && keyOf(own) === at ? own : item;
  useEffect(() => setOwn(undefined), [item]);

  /** @param {1 | -1} step */
  const move = (step) => {
    const next = neighbour(rows, at, step);
    if (!next) return;
    if (keyOf(next) === at && step > 0 && queue.next) queue.more();
    location.hash = address("review", next.sidecar, next.id);
    document.getElementById(rowId(next))?.focus({ preventScroll: true });
    document.getElementById(rowId(next))?.scrollIntoView({ block: "nearest" });
  };

  /** @param {ReviewItem} next */
  const settle = (next) => {
    setRows((all) => replaced(all, next));
    if (keyOf(next) === at) setOwn(next);
    setTurn((each) => each + 1);
  };
  /**
   * The item as it stands now, which is shown when this returns.
   * @param {ReviewItem} one
   * @returns {Promise<ReviewItem | undefined>}
   */
  const look = async (one) => {
    const found = await get(`/review/${segment(one.sidecar)}/${segment(one.id)}`);
    if (!found.ok) return undefined;
    const stands = /** @type {ReviewItem} */ (found.value);
    settle(stands);
    return stands;
  };
  /**
   * @param {ReviewAct} act
   * @param {string} note
   * @returns {Promise<Problem | undefined>}
   */
  const onAct = async (act, note) => {
    if (!shown) return undefined;
    if (act === "undo" && latest?.all.some((each) => keyOf(each) === at)) return undoAll(latest);
    if (decides(act)) queue.keep(keyOf(shown));
    const result = await doAct(shown, act, note);
    const stands = result.ok ? result.value : result.problem.item;
    if (stands) settle(stands);
    if (!result.ok) return result.problem;
    setLatest(decides(act) ? { item: result.value, act, all: [] } : act === "undo" ? undefined : latest);
    return undefined;
  };
  /**
   * @param {ReviewAct} act
   * @param {string} note
   * @returns {Promise<Problem | undefined>}
   */
  const onActAll = async (act, note) => {
    if (!shown) return undefined;
    const found = await post("/review/search", { state: "pending", textSha256: shown.textSha256, limit: LIMIT });
    if (!found.ok) return found.problem;
    const items = identicalTo(/** @type {Found} */ (found.value).items, shown);
    for (const each of items) queue.keep(keyOf(each));
    const result = await post("/review/actions", { act, items, ...(note.trim() ? { note: note.trim() } : {}) });
    queue.again();
    const stands = await look(shown);
    if (!result.ok) return result.problem;
    const { done, failed } = sorted(result.value);
    setLatest(stands && done.length > 0 ? { item: stands, act, all: done } : undefined);
    say(`${plural(done.length, "item")} decided.`);
    return someFailed(failed, "decided");
  };
  /**
   * What was decided at once is taken back at once.
   * @param {Latest} last
   * @returns {Promise<Problem | undefined>}
   */
  const undoAll = async ({ all }) => {
    const result = await post("/review/actions", { act: "undo", items: all });
    queue.again();
    setLatest(undefined);
    if (shown) await look(shown);
    if (!result.ok) return result.problem;
    const { done, failed } = sorted(result.value);
    say(`${plural(done.length, "item waits", "items wait")} again.`);
    return someFailed(failed, "undone: they count already");
  };
  const undo = async () => {
    if (shown?.acts.includes("undo")) {
      controls.current?.run("undo");
      return;
    }
    if (!latest) {
      say("There is nothing to undo.");
      return;
    }
    if (latest.all.length > 0) {
      const problem = await undoAll(latest);
      if (problem) say(problem.title);
      return;
    }
    const result = await doAct(latest.item, "undo");
    if (result.ok) settle(result.value);
    setLatest(undefined);
  };
  /** @param {ReviewAct} act */
  const key = (act) => {
    if (!shown) say(at ? "The item is still loading." : "Open an item first.");
    else controls.current?.run(act);
  };
  const onItem = {
    claim: () => key(shown?.acts.includes("unclaim") ? "unclaim" : "claim"),
    approve: () => key("release"),
    reject: () => key("reject"),
    undo: () => void undo(),
  };
  /** @param {keyof typeof onItem} name */
  const press = (name) => {
    if (controls.current?.busy()) waiting.current = { name, at };
    else onItem[name]();
  };
  // a key that came while an act was under way: about the item for which it was pressed, as that stands now
  const onEnd = () => {
    const pressed = waiting.current;
    waiting.current = undefined;
    if (pressed && (pressed.name === "undo" || pressed.at === at)) onItem[pressed.name]();
  };
  useKeys({
    next: () => move(1),
    previous: () => move(-1),
    open: () => (at ? document.getElementById("item")?.scrollIntoView() : move(1)),
    claim: () => press("claim"),
    approve: () => press("approve"),
    reject: () => press("reject"),
    undo: () => press("undo"),
    search: () => search.current?.focus(),
    close: () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur(),
  });
  useEvent("review", (/** @type {ReviewChange} */ change) => {
    setRows((all) => changed(all, change));
    queue.again();
    if (keyOf(change) === at && shown && (change.state !== shown.state || change.claim?.who !== shown.claim?.who)) opened.reload();
  });
  useEvent("reset", queue.again);
  useEvent("sidecar", queue.again);
  // a link, or the browser's history, may lead to a row out of sight
  useEffect(() => {
    if (at) document.getElementById(`q-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at, rows.length > 0]);

  return h(
    "div",
    null,
    h(
      "div",
      { class: "title" },
      h("h1", null, "Review"),
      h("p", { "aria-live": "off" }, queue.found ? `${plural(queue.found.total, "item fits", "items fit")}` : "Searching …"),
      h(ReviewFigures, { turn }),
    ),
    h(ReviewFilters, { filter, setFilter, found: queue.found, search }),
    queue.problem ? h(ProblemNote, { problem: queue.problem, again: queue.again }) : null,
    queue.found?.gone?.length
      ? h(Note, { kind: "warning", title: `${plural(queue.found.gone.length, "sidecar does", "sidecars do")} not answer` }, h("p", null, inert(queue.found.gone.join(", ")), ": what is known of their items is shown as not reachable, or missing here. They are still held, and come back with the sidecar."))
      : null,
    h(
      "div",
      { class: "review" },
      h(Rows, { queue, at, filtered: JSON.stringify(filter) !== JSON.stringify(WAITING), clear: () => setFilter(WAITING) }),
      h(
        "div",
        null,
        latest && keyOf(latest.item) !== at ? h(Undo, { latest, undo }) : null,
        !at
          ? h(Empty, { title: "No item is open." }, "Choose one of the queue; ", h("kbd", null, "j"), " opens the next one.")
          : shown
            ? h(
                "div",
                null,
                opened.problem ? h(ProblemNote, { problem: opened.problem, again: opened.reload }) : null,
                h(Item, {
                  item: shown,
                  tries: session.features.includes("judgement") && session.roles.includes("reviewer"),
                  keys: true,
                  onAct,
                  onActAll: session.roles.includes("reviewer") ? onActAll : undefined,
                  linkable: session.features.includes("links") && session.roles.includes("reviewer"),
                  controls,
                  onEnd,
                }),
              )
            : opened.problem
              ? h(ProblemNote, { problem: opened.problem, again: opened.reload })
              : h("p", { class: "soft" }, "Loading the item …"),
      ),
    ),
  );
}

/**
 * The rows that fit, searched again when the filter or the queue changes.
 * @param {import("../queue.js").ReviewFilter} filter
 * @param {string | undefined} at key of the row that is open, which stays
 */
function useQueue(filter, at) {
  const [rows, setRows] = useState(/** @type {ReviewSummary[]} */ ([]));
  const [found, setFound] = useState(/** @type {Found | undefined} */ (undefined));
  const [problem, setProblem] = useState(/** @type {Problem | undefined} */ (undefined));
  const [next, setNext] = useState(/** @type {string | undefined} */ (undefined));
  const kept = useRef(new Set());
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const turn = useRef(0);
  const shape = JSON.stringify(filter);
  const pages = useRef(1);
  const open = useRef(at);
  open.current = at;

  /** @param {boolean} anew */
  const load = async (anew) => {
    const mine = ++turn.current;
    /** @type {ReviewSummary[]} */
    const all = [];
    /** @type {string | undefined} */
    let after;
    /** @type {string[]} */
    const gone = [];
    for (let page = 0; page < pages.current; page++) {
      const result = await post("/review/search", searchOf(filter, LIMIT, after));
      // a later search has overtaken this one
      if (mine !== turn.current) return;
      if (!result.ok) {
        setProblem(result.problem);
        return;
      }
      const value = /** @type {Found} */ (result.value);
      all.push(...value.items);
      gone.push(...(value.gone ?? []));
      after = value.next;
      setFound(value);
      if (after === undefined) break;
    }
    setProblem(undefined);
    setNext(after);
    setRows((old) => (anew ? all : steady(old, all, open.current ? new Set([...kept.current, open.current]) : kept.current, gone)));
  };
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    kept.current.clear();
    pages.current = 1;
    const typed = setTimeout(() => latest.current(true), found ? TYPED_MS : 0);
    return () => clearTimeout(typed);
  }, [shape]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const again = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current(false);
    }, TOLD_MS);
  }, []);
  const more = useCallback(() => {
    pages.current++;
    latest.current(false);
  }, []);
  const keep = useCallback((/** @type {string} */ key) => void kept.current.add(key), []);
  return { rows, setRows, found, problem, next, again, more, keep };
}

/** @param {{queue: ReturnType<typeof useQueue>, at: string | undefined, filtered: boolean, clear: () => void}} props */
function Rows({ queue, at, filtered, clear }) {
  const now = useNow(10_000);
  if (queue.rows.length === 0) {
    if (!queue.found) return h("p", { class: "soft" }, queue.problem ? "" : "Loading the queue …");
    return filtered
      ? h(Empty, { title: "No item fits." }, "Set fewer filters. ", h(Button, { label: "Show all that wait", onClick: clear }))
      : h(Empty, { title: "Nothing waits." }, "A message that a route holds for a person appears here by itself.");
  }
  return h(
    "nav",
    { "aria-label": "Queue" },
    h(
      "ul",
      { class: "queue" },
      queue.rows.map((row) => h(Row, { key: keyOf(row), row, here: keyOf(row) === at, now })),
    ),
    queue.next ? h("p", null, h(Button, { label: `Show more (${count(queue.rows.length)} of ${count(queue.found?.total)})`, onClick: queue.more })) : null,
    h("p", { class: "soft" }, h("kbd", null, "j"), " ", h("kbd", null, "k"), " next and previous"),
  );
}

/** @param {ReviewSummary} row */
function rowId(row) {
  return `q-${keyOf(row)}`;
}

/** @param {{row: ReviewSummary, here: boolean, now: number}} props */
function Row({ row, here, now }) {
  const waits = row.state === "pending";
  return h(
    "li",
    null,
    h(
      "a",
      { id: rowId(row), href: address("review", row.sidecar, row.id), "aria-current": here ? "true" : undefined },
      h(
        "span",
        { class: "row" },
        h("strong", null, inert(words(row.reasons[0] ?? row.kind))),
        waits ? null : h("span", { class: "soft" }, h("span", { "aria-hidden": "true" }, row.state === "rejected" ? "✕ " : "✓ "), capital(words(row.state)), row.decision ? h("span", null, " by ", inert(row.decision.who)) : null),
        row.claim && waits ? h("span", { class: "soft" }, h("span", { "aria-hidden": "true" }, "◆ "), row.claim.mine ? "yours" : h("span", null, "claimed by ", inert(row.claim.who))) : null,
        (row.identical ?? 1) > 1 ? h("span", { class: "soft" }, `${row.identical} alike`) : null,
        row.escalations ? h("span", { class: "bad" }, "escalated") : null,
        h("span", { class: "end soft t" }, ago(row.heldAtMs, now)),
      ),
      h("span", { class: "row soft" }, h("span", null, inert(row.caller), " → ", inert(row.destination)), h("span", { class: "end t" }, `grounding ${number(row.signals?.grounding)}`)),
      h("span", null, row.reachable === false ? "(not reachable: its sidecar is gone)" : inert(line(row.excerpt, 140) || "(no words)")),
    ),
  );
}

/** @param {{latest: Latest, undo: () => void}} props */
function Undo({ latest, undo }) {
  const now = useNow(500);
  const left = (latest.item.undoUntilMs ?? 0) - now;
  if (left <= 0) return null;
  return h(
    Note,
    { kind: "done" },
    h("p", null, `${capital(words(latest.act))}${latest.all.length > 1 ? ` of ${latest.all.length}` : ""}: `, inert(line(latest.item.excerpt, 60)), ` counts in ${Math.ceil(left / 1000)} s. `, h(Button, { label: "Undo", act: "undo", onClick: undo })),
  );
}
