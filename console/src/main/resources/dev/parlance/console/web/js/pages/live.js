/**
 * Live: decisions as they come, and how routes and drift went over the last ten minutes.
 * @import {Decision, Session} from "../types.js"
 * @import {LiveFilter} from "../filters.js"
 * @import {Line} from "../parts/plot.js"
 */
import { h } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, query } from "../api.js";
import { Buckets, ROUTES, pairOf } from "../buckets.js";
import { EVERYTHING, choices, fits, keyOf, merge } from "../filters.js";
import { capital, count, number, words } from "../format.js";
import { useEvent, useKept, useKeys } from "../parts/hooks.js";
import { Plot, STROKES } from "../parts/plot.js";
import { Button, Choice, Empty, ProblemNote, Reason, RouteBadge, SignalLine, Time, inert, say } from "../parts/ui.js";
import { address } from "../route.js";

/** Decisions that are remembered; rows that are shown of them. */
const KEPT = 2_000;
const ROWS = 60;
/** How often the page draws, however many come. */
const DRAW_MS = 300;
const PLOT_MS = 1_000;

/** @param {{session: Session}} props */
export function LivePage({ session }) {
  const [filter, setFilter] = useKept("parlance.live", EVERYTHING);
  const [paused, setPaused] = useState(false);
  const [all, setAll] = useState(/** @type {Decision[]} */ ([]));
  const [waiting, setWaiting] = useState(0);
  const [problem, setProblem] = useState(/** @type {import("../types.js").Problem | undefined} */ (undefined));
  const [loaded, setLoaded] = useState(false);
  const [at, setAt] = useState(/** @type {string | undefined} */ (undefined));
  const [plotted, setPlotted] = useState(0);
  const fresh = useRef(/** @type {Decision[]} */ ([]));
  const buckets = useRef(new Buckets());
  const counted = useRef(/** @type {Set<string>} */ (new Set()));
  const search = useRef(/** @type {HTMLInputElement | null} */ (null));

  const load = useCallback(async () => {
    const result = await get(`/decisions${query({ limit: 200 })}`);
    setLoaded(true);
    if (!result.ok) {
      setProblem(result.problem);
      return;
    }
    setProblem(undefined);
    const { decisions } = /** @type {{decisions: Decision[]}} */ (result.value);
    for (const each of [...decisions].reverse()) if (isNew(counted.current, each)) buckets.current.add(each);
    setAll((old) => merge(decisions, old, KEPT));
  }, []);
  useEffect(() => void load(), [load]);
  useEvent("reset", load);
  useEvent("decision", (/** @type {Decision} */ decision) => {
    if (!isNew(counted.current, decision)) return;
    buckets.current.add(decision);
    fresh.current.push(decision);
    // while the page is paused, or its tab in the background, only so many are kept
    if (fresh.current.length > KEPT) fresh.current.splice(0, fresh.current.length - KEPT);
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (fresh.current.length === 0) return;
      if (paused) {
        setWaiting(fresh.current.length);
        return;
      }
      const now = fresh.current;
      fresh.current = [];
      setWaiting(0);
      setAll((old) => merge(now, old, KEPT));
    }, DRAW_MS);
    return () => clearInterval(timer);
  }, [paused]);
  useEffect(() => {
    const timer = setInterval(() => setPlotted((turn) => turn + 1), PLOT_MS);
    return () => clearInterval(timer);
  }, []);

  const shown = useMemo(() => all.filter((each) => fits(each, filter)), [all, filter]);
  const rows = shown.slice(0, ROWS);
  const here = rows.findIndex((row) => keyOf(row) === at);
  /** @param {number} step */
  const move = (step) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, here + step))];
    if (!next) return;
    setAt(keyOf(next));
    document.getElementById(rowId(next))?.focus();
  };
  const pause = () => {
    setPaused(!paused);
    say(paused ? "Decisions are shown as they come." : "Paused.");
  };
  useKeys({
    next: () => move(1),
    previous: () => move(here < 0 ? 1 : -1),
    open: () => {
      const row = rows[here];
      if (row) location.hash = address("message", row.sidecar, row.id);
    },
    search: () => search.current?.focus(),
    close: () => search.current?.blur(),
  });

  return h(
    "div",
    null,
    h(
      "div",
      { class: "title" },
      h("h1", null, "Live"),
      h("p", null, `${count(shown.length)} of ${count(all.length)} decisions fit`),
      h(
        "div",
        { class: "end" },
        h(Button, { label: paused ? `Go on${waiting ? ` (${count(waiting)} more)` : ""}` : "Pause", onClick: pause, pressed: paused }),
      ),
    ),
    h(Plots, { buckets: buckets.current, turn: plotted }),
    h(LiveFilters, { all, filter, setFilter, search, session }),
    problem ? h(ProblemNote, { problem, again: load }) : null,
    rows.length
      ? h(Decisions, { rows, at, paused })
      : !loaded
        ? h("p", { class: "soft" }, "Loading the latest decisions …")
        : all.length === 0
          ? h(Empty, { title: "No decision yet." }, "Each message that a sidecar judges appears here. Send one to an agent through its sidecar.")
          : h(Empty, { title: "No decision fits." }, "Set fewer filters. ", h(Button, { label: "Show all", onClick: () => setFilter(EVERYTHING) })),
    shown.length > ROWS ? h("p", { class: "soft" }, `The latest ${ROWS} are shown; a filter brings out older ones.`) : null,
  );
}

/**
 * Whether a decision comes for the first time: lists and events overlap, and each is drawn once.
 * @param {Set<string>} counted keys of the latest, oldest first
 * @param {Decision} decision
 */
function isNew(counted, decision) {
  const key = keyOf(decision);
  if (counted.has(key)) return false;
  counted.add(key);
  const [oldest] = counted;
  if (counted.size > 2 * KEPT && oldest !== undefined) counted.delete(oldest);
  return true;
}

/** @param {Decision} row */
function rowId(row) {
  return `d-${keyOf(row)}`;
}

/**
 * @param {{all: Decision[], filter: LiveFilter, setFilter: (next: LiveFilter) => void, session: Session,
 *   search: {current: HTMLInputElement | null}}} props
 */
function LiveFilters({ all, filter, setFilter, search }) {
  const given = useMemo(() => {
    /** @type {Record<string, number>} */
    const reasons = {};
    /** @type {Record<string, number>} */
    const sidecars = {};
    for (const each of all) {
      sidecars[each.sidecar] = (sidecars[each.sidecar] ?? 0) + 1;
      for (const reason of each.reasons) reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    return { reasons, sidecars };
  }, [all]);
  /** @param {Partial<LiveFilter>} part */
  const set = (part) => setFilter({ ...filter, ...part });
  return h(
    "search",
    { class: "bar", "aria-label": "Filters" },
    h(Choice, { label: "Route", value: filter.route, all: "all", options: ROUTES.map((route) => [route, capital(route)]), onChange: (route) => set({ route }) }),
    h(Choice, {
      label: "Reason",
      value: filter.reason,
      all: "all",
      options: choices(given.reasons, filter.reason).map(([code, many]) => [code, `${words(code)} (${many})`]),
      onChange: (reason) => set({ reason }),
    }),
    h(Choice, {
      label: "Sidecar",
      value: filter.sidecar,
      all: "all",
      options: choices(given.sidecars, filter.sidecar).map(([id, many]) => [id, `${id} (${many})`]),
      onChange: (sidecar) => set({ sidecar }),
    }),
    h(Choice, {
      label: "Direction",
      value: filter.direction,
      all: "both",
      options: [
        ["inbound", "Inbound"],
        ["outbound", "Outbound"],
      ],
      onChange: (direction) => set({ direction }),
    }),
    h(
      "label",
      { class: "field" },
      h("span", null, "Agent or peer", h("kbd", { "aria-hidden": "true" }, "/")),
      h("input", {
        ref: search,
        type: "text",
        value: filter.agent,
        autocomplete: "off",
        spellcheck: false,
        onInput: (/** @type {Event} */ event) => set({ agent: /** @type {HTMLInputElement} */ (event.currentTarget).value }),
      }),
    ),
    Object.values(filter).every((each) => each === "") ? null : h(Button, { label: "Clear", onClick: () => setFilter(EVERYTHING) }),
  );
}

/** @param {{rows: Decision[], at: string | undefined, paused: boolean}} props */
function Decisions({ rows, at, paused }) {
  const seen = useRef(new Set(rows.map(keyOf)));
  useEffect(() => {
    seen.current = new Set(rows.map(keyOf));
  }, [rows]);
  const columns = ["Time", "Route", "Why", "From → to", "Rule", "Signals", "Drift", "Action"];
  return h(
    "div",
    { class: "table", role: "region", tabIndex: 0, "aria-label": "Decisions, newest first" },
    h(
      "table",
      null,
      h("caption", { class: "unseen" }, `Decisions, newest first${paused ? ", paused" : ""}`),
      h("thead", null, h("tr", null, columns.map((name) => h("th", { key: name, scope: "col", class: name === "Drift" ? "n" : undefined }, name)))),
      h(
        "tbody",
        null,
        rows.map((row) => {
          const key = keyOf(row);
          const kind = `${key === at ? "here " : ""}${seen.current.has(key) ? "" : "fresh"}`;
          return h(
            "tr",
            { key, class: kind.trim() || undefined },
            h("th", { scope: "row", class: "t" }, h("a", { id: rowId(row), href: address("message", row.sidecar, row.id) }, h(Time, { ms: row.tsMs }))),
            h("td", null, h(RouteBadge, { route: row.route })),
            h("td", null, row.reasons.slice(0, 1).map((code) => h(Reason, { key: code, code })), row.reasons.length > 1 ? h("span", { class: "soft" }, ` +${row.reasons.length - 1}`) : null),
            h("td", null, inert(pairOf(row))),
            h("td", null, inert(row.routeRule)),
            h("td", null, h(SignalLine, { signals: row.signals })),
            h("td", { class: "n" }, number(row.drift, 3)),
            h("td", null, inert(words(row.action)), row.mode === "observe" ? h("span", { class: "soft" }, " (observed only)") : null),
          );
        }),
      ),
    ),
  );
}

/** @param {{buckets: Buckets, turn: number}} props */
function Plots({ buckets, turn }) {
  const routes = useMemo(() => buckets.routes(Date.now()), [turn]);
  const drift = useMemo(() => buckets.drift(Date.now()), [turn]);
  const perRoute = useMemo(
    () =>
      ROUTES.map((route, i) => ({
        name: capital(route),
        values: routes.routes[route],
        color: `--${route}`,
        dash: [[], [8, 3, 2, 3], [10, 4], [3, 3]][i] ?? [],
      })),
    [routes],
  );
  const perPair = useMemo(
    () => drift.pairs.map(({ pair, drift: values }, i) => /** @type {Line} */ ({ name: pair, values, ...STROKES[i % STROKES.length] })),
    [drift],
  );
  return h(
    "div",
    { class: "side" },
    h(Plot, { title: `Decisions per ${buckets.widthMs / 1_000} s, by route`, at: routes.at, lines: perRoute, digits: 0 }),
    h(
      "div",
      null,
      h(Plot, { title: "Mean drift, by pair of agents", at: drift.at, lines: perPair, max: 1, digits: 2 }),
      buckets.left ? h("p", { class: "soft" }, `The first ${buckets.most} pairs are drawn; ${count(buckets.left)} decisions of others are not.`) : null,
    ),
  );
}
