/**
 * Decisions counted over time, for the plots: routes per bucket, and the mean drift of each pair of agents. Bounded: a window of
 * buckets, a number of pairs. Pure: times come with the decisions.
 * @import {Decision, Route} from "./types.js"
 */

/** @type {readonly Route[]} */
export const ROUTES = ["execute", "warn", "regenerate", "yield"];

/** @typedef {{sum: number, count: number}} Mean */
/** @typedef {{routes: Record<Route, number>, drift: Map<string, Mean>}} Bucket */

/**
 * The two sides of a message, sender first.
 * @param {Decision} decision
 */
export function pairOf(decision) {
  const sent = (decision.direction === "outbound") === (decision.kind === "request");
  return sent ? `${decision.agent} → ${decision.peer}` : `${decision.peer} → ${decision.agent}`;
}

export class Buckets {
  /**
   * @param {number} widthMs of a bucket
   * @param {number} size how many buckets are kept
   * @param {number} pairs how many pairs are kept, at most
   */
  constructor(widthMs = 5_000, size = 120, pairs = 8) {
    this.widthMs = widthMs;
    this.size = size;
    this.most = pairs;
    /** @type {Map<number, Bucket>} */
    this.kept = new Map();
    /** @type {Map<string, number>} how many decisions of each pair had a drift, the busiest first when read */
    this.seen = new Map();
    this.left = 0;
    this.newest = 0;
  }

  /** @param {Decision} decision */
  add(decision) {
    const at = Math.floor(decision.tsMs / this.widthMs);
    if (at <= this.newest - this.size) return;
    if (at > this.newest) this.forget(at);
    const bucket = this.kept.get(at) ?? { routes: { execute: 0, warn: 0, regenerate: 0, yield: 0 }, drift: new Map() };
    this.kept.set(at, bucket);
    bucket.routes[decision.route] = (bucket.routes[decision.route] ?? 0) + 1;
    if (decision.drift === undefined) return;
    const pair = pairOf(decision);
    if (!this.seen.has(pair) && this.seen.size >= this.most) {
      this.left++;
      return;
    }
    this.seen.set(pair, (this.seen.get(pair) ?? 0) + 1);
    const mean = bucket.drift.get(pair) ?? { sum: 0, count: 0 };
    mean.sum += decision.drift;
    mean.count++;
    bucket.drift.set(pair, mean);
  }

  /** @param {number} newest */
  forget(newest) {
    this.newest = newest;
    for (const at of this.kept.keys()) if (at <= newest - this.size) this.kept.delete(at);
    const still = new Set([...this.kept.values()].flatMap((bucket) => [...bucket.drift.keys()]));
    for (const pair of this.seen.keys()) if (!still.has(pair)) this.seen.delete(pair);
  }

  /**
   * Seconds since 1970 of every bucket from the first to `nowMs`, and the counts of each route.
   * @param {number} nowMs
   * @returns {{at: number[], routes: Record<Route, number[]>}}
   */
  routes(nowMs) {
    const at = this.axis(nowMs);
    /** @param {Route} route */
    const row = (route) => at.map((index) => this.kept.get(index)?.routes[route] ?? 0);
    return {
      at: at.map((index) => (index * this.widthMs) / 1000),
      routes: { execute: row("execute"), warn: row("warn"), regenerate: row("regenerate"), yield: row("yield") },
    };
  }

  /**
   * The mean drift of each pair, a gap where it said nothing; the busiest pair first.
   * @param {number} nowMs
   * @returns {{at: number[], pairs: {pair: string, drift: (number | null)[]}[]}}
   */
  drift(nowMs) {
    const at = this.axis(nowMs);
    const pairs = [...this.seen].sort((a, b) => b[1] - a[1]).map(([pair]) => pair);
    return {
      at: at.map((index) => (index * this.widthMs) / 1000),
      pairs: pairs.map((pair) => ({
        pair,
        drift: at.map((index) => {
          const mean = this.kept.get(index)?.drift.get(pair);
          return mean ? mean.sum / mean.count : null;
        }),
      })),
    };
  }

  /** @param {number} nowMs */
  axis(nowMs) {
    const last = Math.max(Math.floor(nowMs / this.widthMs), this.newest);
    const first = this.kept.size ? Math.min(...this.kept.keys()) : last;
    const from = Math.max(first, last - this.size + 1);
    return Array.from({ length: last - from + 1 }, (_, i) => from + i);
  }
}
