/**
 * Filters of the Live page, kept in the page alone: what somebody looks for stands in no address. Pure.
 * @import {Decision, Distribution} from "./types.js"
 */

/**
 * @typedef {object} LiveFilter
 * @property {string} route empty: all
 * @property {string} reason
 * @property {string} agent part of an agent's or its peer's name
 * @property {string} direction
 * @property {string} sidecar
 */

/** @type {LiveFilter} */
export const EVERYTHING = { route: "", reason: "", agent: "", direction: "", sidecar: "" };

/**
 * @param {Decision} decision
 * @param {LiveFilter} filter
 */
export function fits(decision, filter) {
  const part = filter.agent.trim().toLowerCase();
  return (
    (!filter.route || decision.route === filter.route) &&
    (!filter.reason || decision.reasons.includes(filter.reason)) &&
    (!filter.direction || decision.direction === filter.direction) &&
    (!filter.sidecar || decision.sidecar === filter.sidecar) &&
    (!part || decision.agent.toLowerCase().includes(part) || decision.peer.toLowerCase().includes(part))
  );
}

/**
 * The latest decisions, newest first, each once: a list that was loaded and events overlap.
 * @param {Decision[]} fresh in any order
 * @param {Decision[]} kept newest first
 * @param {number} most
 */
export function merge(fresh, kept, most) {
  const known = new Set(kept.map(keyOf));
  const added = fresh.filter((each) => {
    const key = keyOf(each);
    return known.has(key) ? false : known.add(key);
  });
  if (added.length === 0) return kept;
  return [...added, ...kept].sort((a, b) => b.tsMs - a.tsMs).slice(0, most);
}

/** @param {{sidecar: string, id: string}} item */
export function keyOf(item) {
  return `${item.sidecar}/${item.id}`;
}

/**
 * What a filter can be set to, most frequent first, with how many there are.
 * @param {Record<string, number>} counts
 * @param {string} chosen stays among them even if none is left
 */
export function choices(counts, chosen) {
  const all = Object.entries(counts).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  return chosen && !(chosen in counts) ? [...all, /** @type {[string, number]} */ ([chosen, 0])] : all;
}

/**
 * The distribution of grounding in words, for who does not see the bars.
 * @param {Distribution["grounding"]} counts 20 of width 0.05
 */
export function spreadInWords(counts) {
  const all = counts.reduce((sum, each) => sum + each, 0);
  if (all === 0) return "no item was measured";
  const said = counts.flatMap((each, i) => (each ? [`${(i / 20).toFixed(2)} to ${((i + 1) / 20).toFixed(2)}: ${each}`] : []));
  return said.join("; ");
}
