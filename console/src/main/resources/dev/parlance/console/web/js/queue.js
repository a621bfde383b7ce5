/**
 * The review queue as a page keeps it: rows in a steady order, whatever is searched again or told meanwhile. Pure.
 * @import {ReviewAct, ReviewChange, ReviewItem, ReviewSummary} from "./types.js"
 */
import { keyOf } from "./filters.js";

/**
 * @typedef {object} ReviewFilter
 * @property {string} state
 * @property {string} sidecar
 * @property {string} route
 * @property {string} reason
 * @property {string} peer
 * @property {string} text
 * @property {string} queue
 * @property {string} minGrounding
 * @property {string} maxGrounding
 * @property {boolean} mine
 */

/** @type {ReviewFilter} */
export const WAITING = { state: "pending", sidecar: "", route: "", reason: "", peer: "", text: "", queue: "", minGrounding: "", maxGrounding: "", mine: false };

/**
 * The body of a search; what is not a number from 0 to 1 is left out.
 * @param {ReviewFilter} filter
 * @param {number} limit
 * @param {string} [after]
 */
export function searchOf(filter, limit, after) {
  /** @type {Record<string, string | number | boolean>} */
  const body = { limit };
  for (const name of /** @type {const} */ (["state", "sidecar", "route", "reason", "peer", "text", "queue"])) {
    const value = filter[name].trim();
    if (value) body[name] = value;
  }
  for (const name of /** @type {const} */ (["minGrounding", "maxGrounding"])) {
    const value = Number(filter[name]);
    if (filter[name] !== "" && value >= 0 && value <= 1) body[name] = value;
  }
  if (filter.mine) body["mine"] = true;
  if (after) body["after"] = after;
  return body;
}

/**
 * The rows after the same search again: old ones keep their places, new ones follow, those that fit no more go, unless this person
 * has decided about them or is at them, or their sidecar has not answered: what one has just done stays in sight, and keys go on
 * from where one is.
 * @param {ReviewSummary[]} old
 * @param {ReviewSummary[]} found
 * @param {ReadonlySet<string>} kept keys of rows that stay
 * @param {string[]} [gone] sidecars that have not answered
 */
export function steady(old, found, kept, gone = []) {
  const fresh = new Map(found.map((row) => [keyOf(row), row]));
  const stay = old.flatMap((row) => {
    const key = keyOf(row);
    const next = fresh.get(key) ?? (kept.has(key) || gone.includes(row.sidecar) ? row : undefined);
    fresh.delete(key);
    return next ? [next] : [];
  });
  return [...stay, ...fresh.values()];
}

/**
 * @param {ReviewSummary[]} rows
 * @param {ReviewChange} change
 */
export function changed(rows, change) {
  const key = keyOf(change);
  return rows.some((row) => keyOf(row) === key) ? rows.map((row) => (keyOf(row) === key ? withChange(row, change) : row)) : rows;
}

/**
 * @param {ReviewSummary} row
 * @param {ReviewChange} change
 * @returns {ReviewSummary}
 */
function withChange(row, change) {
  const { claim: old, ...rest } = row;
  const mine = change.claim && old?.mine && old.who === change.claim.who;
  return { ...rest, state: change.state, ...(change.claim ? { claim: mine ? { ...change.claim, mine } : change.claim } : {}) };
}

/**
 * @param {ReviewSummary[]} rows
 * @param {ReviewSummary} item
 */
export function replaced(rows, item) {
  const key = keyOf(item);
  return rows.map((row) => (keyOf(row) === key ? { ...row, ...item } : row));
}

/**
 * Items that the same act may be done about at once: they wait, nobody else has them, and their text is the very same.
 * @param {ReviewSummary[]} rows what a search for the text has found
 * @param {ReviewItem} item
 */
export function identicalTo(rows, item) {
  if (item.textSha256 === undefined) return [];
  return rows
    .filter((row) => row.textSha256 === item.textSha256 && row.state === "pending" && (row.claim === undefined || row.claim.mine === true))
    .map(({ sidecar, id }) => ({ sidecar, id }));
}

/**
 * Where `j` and `k` lead from a row.
 * @param {ReviewSummary[]} rows
 * @param {string | undefined} at key of the row
 * @param {1 | -1} step
 */
export function neighbour(rows, at, step) {
  const here = rows.findIndex((row) => keyOf(row) === at);
  if (here < 0) return step > 0 ? rows[0] : rows[rows.length - 1];
  return rows[Math.max(0, Math.min(rows.length - 1, here + step))];
}

/**
 * Acts that end the wait of an item.
 * @param {ReviewAct} act
 */
export function decides(act) {
  return act === "release" || act === "reject" || act === "send-back";
}
