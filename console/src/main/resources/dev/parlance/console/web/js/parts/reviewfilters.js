/**
 * Filters of the queue, with the distribution of grounding over all that fit, and the queue's figures.
 * @import {ReviewFigures as Figures, ReviewPage} from "../types.js"
 * @import {ReviewFilter} from "../queue.js"
 */
import { h } from "preact";
import { useEffect } from "preact/hooks";
import { choices, spreadInWords } from "../filters.js";
import { capital, count, duration, number, plural, words } from "../format.js";
import { WAITING } from "../queue.js";
import { useLoaded } from "./hooks.js";
import { Button, Choice } from "./ui.js";

const STATES = ["pending", "decided", "released", "rejected", "sent_back", "delivered", "expired"];
const BAR_MAX_REM = 2.4;

/**
 * @param {{filter: ReviewFilter, setFilter: (next: ReviewFilter) => void, found: ReviewPage | undefined,
 *   search: {current: HTMLInputElement | null}}} props
 */
export function ReviewFilters({ filter, setFilter, found, search }) {
  /** @param {Partial<ReviewFilter>} part */
  const set = (part) => setFilter({ ...filter, ...part });
  const spread = found?.distribution;
  /**
   * @param {string} label
   * @param {"sidecar" | "route" | "reason" | "queue"} name
   * @param {Record<string, number> | undefined} counts
   */
  const choice = (label, name, counts) =>
    h(Choice, {
      label,
      value: filter[name],
      all: "all",
      options: choices(counts ?? {}, filter[name]).map(([id, many]) => [id, `${name === "reason" ? words(id) : id} (${many})`]),
      onChange: (value) => set({ [name]: value }),
    });
  /**
   * @param {string} label
   * @param {"peer" | "text" | "minGrounding" | "maxGrounding"} name
   * @param {Record<string, unknown>} [more]
   */
  const field = (label, name, more = {}) =>
    h(
      "label",
      { class: "field" },
      h("span", null, label, name === "text" ? h("kbd", { "aria-hidden": "true" }, "/") : null),
      h("input", {
        type: "text",
        value: filter[name],
        autocomplete: "off",
        spellcheck: false,
        ...more,
        onInput: (/** @type {Event} */ event) => set({ [name]: /** @type {HTMLInputElement} */ (event.currentTarget).value }),
      }),
    );
  return h(
    "search",
    { class: "bar", "aria-label": "Filters" },
    field("Words in question or answer", "text", { ref: search, maxLength: 200 }),
    h(Choice, { label: "State", value: filter.state, all: "all", options: STATES.map((state) => [state, capital(words(state))]), onChange: (state) => set({ state }) }),
    choice("Reason", "reason", spread?.reasons),
    choice("Rule", "route", spread?.routes),
    choice("Sidecar", "sidecar", spread?.sidecars),
    field("Caller or destination", "peer"),
    Object.keys(spread?.queues ?? {}).length > 1 || filter.queue ? choice("Queue", "queue", spread?.queues) : null,
    h(
      "div",
      { class: "group" },
      spread ? h(Spread, { counts: spread.grounding, unknown: spread.unknown, min: Number(filter.minGrounding || 0), max: Number(filter.maxGrounding || 1) }) : null,
      field("from", "minGrounding", { type: "number", min: 0, max: 1, step: 0.05, "aria-label": "Grounding from" }),
      field("to", "maxGrounding", { type: "number", min: 0, max: 1, step: 0.05, "aria-label": "Grounding to" }),
    ),
    h(
      "label",
      { class: "tick" },
      h("input", { type: "checkbox", checked: filter.mine, onChange: (/** @type {Event} */ event) => set({ mine: /** @type {HTMLInputElement} */ (event.currentTarget).checked }) }),
      "Claimed by me",
    ),
    JSON.stringify(filter) === JSON.stringify(WAITING) ? null : h(Button, { label: "Clear", onClick: () => setFilter(WAITING) }),
  );
}

/** @param {{counts: number[], unknown: number, min: number, max: number}} props */
function Spread({ counts, unknown, min, max }) {
  const most = Math.max(1, ...counts);
  return h(
    "div",
    { class: "distribution", role: "img", "aria-label": `Distribution of grounding: ${spreadInWords(counts)}; not measured: ${unknown}` },
    h("span", { class: "soft", "aria-hidden": "true" }, unknown ? `Grounding, 0 to 1; ${count(unknown)} without` : "Grounding of all that fit, 0 to 1"),
    h(
      "div",
      { class: "spread", "aria-hidden": "true" },
      counts.map((many, i) =>
        h("div", {
          key: i,
          class: (i + 1) / 20 <= min || i / 20 >= max ? "out" : undefined,
          title: `${number(i / 20)} to ${number((i + 1) / 20)}: ${many}`,
          style: { height: `${many ? Math.max(0.2, (many / most) * BAR_MAX_REM) : 0.08}rem` },
        }),
      ),
    ),
  );
}

/**
 * How far people agree who did not see each other's decision.
 * @param {import("../types.js").Agreement} agreement
 */
function agreed({ items, observed, cohenKappa, fleissKappa }) {
  const kappa = cohenKappa ?? fleissKappa;
  const name = cohenKappa === undefined ? "Fleiss' kappa" : "Cohen's kappa";
  return `of ${plural(items, "item")} decided twice people agree on ${observed === undefined ? "–" : Math.round(observed * 100)} %${kappa === undefined ? "" : `, ${name} ${number(kappa)}`}`;
}

/** @param {{turn: number}} props loaded again with each turn */
export function ReviewFigures({ turn }) {
  /** @type {import("./hooks.js").Loaded<Figures>} */
  const loaded = useLoaded("/review/figures", 15_000);
  useEffect(() => {
    if (turn) loaded.reload();
  }, [turn]);
  const figures = loaded.value;
  if (!figures) return h("p", null, loaded.problem ? "Figures cannot be had now." : "");
  const { agreement } = figures;
  const parts = [`${count(figures.waiting)} wait`];
  if (figures.claimed !== undefined) parts.push(`${count(figures.claimed)} claimed`);
  if (figures.escalations) parts.push(`${plural(figures.escalations, "escalation")}`);
  if (figures.oldestAgeMs !== undefined && figures.waiting) parts.push(`the oldest for ${duration(figures.oldestAgeMs)}`);
  if (figures.medianDecisionMs) parts.push(`half are decided within ${duration(figures.medianDecisionMs)}`);
  if (agreement?.items) parts.push(agreed(agreement));
  return h("p", { class: "figures" }, parts.join(" · "));
}
