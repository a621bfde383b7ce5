/**
 * Signals against their thresholds: a figure, a bar with the threshold on it, and in words whether it passes.
 * @import {JudgedSignal, Judgement} from "../types.js"
 */
import { h } from "preact";
import { capital, number } from "../format.js";
import { RouteBadge, inert } from "./ui.js";

const WIDTH = 200;

/** @param {JudgedSignal} signal */
function verdict(signal) {
  if (signal.threshold === undefined) return "no threshold";
  const rule = `${signal.passes === "at_least" ? "at least" : "at most"} ${number(signal.threshold)}`;
  const warned = signal.warn !== undefined && signal.value > signal.warn;
  if (signal.ok === false) return `✕ fails: ${rule}`;
  return warned ? `! warns above ${number(signal.warn)}; ${rule}` : `✓ passes: ${rule}`;
}

/** @param {{signal: JudgedSignal}} props */
function SignalRow({ signal }) {
  const limits = [signal.threshold, signal.warn].filter((each) => each !== undefined);
  /** @param {number} value */
  const x = (value) => Math.max(0, Math.min(1, value)) * WIDTH;
  return h(
    "div",
    { class: "signal" },
    h("span", null, capital(signal.name)),
    h("span", { class: "t" }, number(signal.value)),
    h(
      "svg",
      { viewBox: `0 0 ${WIDTH} 16`, preserveAspectRatio: "none", "aria-hidden": "true" },
      h("rect", { class: "scale", x: 0, y: 3, width: WIDTH, height: 10 }),
      h("rect", { class: `measure${signal.ok === false ? " off" : ""}`, x: 0, y: 3, width: x(signal.value), height: 10 }),
      limits.map((limit, i) => h("line", { key: i, class: "limit", "vector-effect": "non-scaling-stroke", x1: x(limit), x2: x(limit), y1: 0, y2: 16, "stroke-dasharray": i ? "2 2" : undefined })),
    ),
    h("span", { class: signal.ok === false ? "bad" : "soft" }, verdict(signal)),
  );
}

/** @param {{judgement: Judgement}} props */
export function SignalsPart({ judgement }) {
  return h(
    "div",
    null,
    h(
      "p",
      null,
      h(RouteBadge, { route: judgement.route }),
      judgement.profile ? h("span", { class: "soft" }, " by profile ", inert(judgement.profile)) : null,
    ),
    h(
      "ul",
      null,
      judgement.reasons.map((reason) =>
        h("li", { key: reason.code, title: reason.code }, inert(reason.sentence), reason.helps ? h("span", { class: "soft" }, " ", inert(reason.helps)) : null),
      ),
    ),
    (judgement.signals ?? []).map((signal) => h(SignalRow, { key: signal.name, signal })),
  );
}
