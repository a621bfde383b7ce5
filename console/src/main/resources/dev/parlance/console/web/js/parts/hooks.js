/**
 * What pages need of the server and the clock, as hooks.
 * @import {Problem} from "../types.js"
 * @import {EventName} from "../events.js"
 */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.js";
import { on } from "../events.js";
import { listen } from "../keys.js";

/**
 * What was loaded. A value stays while it is loaded again, and when that fails: the page says since when it is old.
 * @template T
 * @typedef {object} Loaded
 * @property {T} [value]
 * @property {Problem} [problem]
 * @property {boolean} loading
 * @property {number} [atMs] when the value came
 * @property {() => void} reload
 */

/**
 * @template T
 * @param {string | undefined} path what to load; nothing while undefined
 * @param {number} [everyMs] load it again, so long after the last answer
 * @returns {Loaded<T>}
 */
export function useLoaded(path, everyMs) {
  /** @type {[{path?: string, value?: T, problem?: Problem, atMs?: number}, Function]} */
  const [state, setState] = useState({});
  const [turn, setTurn] = useState(0);
  const [loading, setLoading] = useState(false);
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const load = async () => {
      setLoading(true);
      const result = await get(path, stop.signal);
      if (stop.signal.aborted) return;
      setLoading(false);
      setState((/** @type {typeof state} */ old) =>
        result.ok
          ? { path, value: result.value, atMs: Date.now() }
          : { ...(old.path === path ? old : { path }), problem: result.problem },
      );
      if (everyMs) timer = setTimeout(load, everyMs);
    };
    load();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [path, everyMs, turn]);
  const reload = useCallback(() => setTurn((each) => each + 1), []);
  return state.path === path ? { ...state, loading, reload } : { loading: path !== undefined, reload };
}

/**
 * Runs `act` for each event, with the latest closure.
 * @template T
 * @param {EventName} name
 * @param {(data: T) => void} act
 */
export function useEvent(name, act) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => on(name, (/** @type {T} */ data) => latest.current(data)), [name]);
}

/**
 * Runs the act of each key, with the latest closure.
 * @param {Partial<Record<import("../keys.js").Act, () => boolean | void>>} acts
 */
export function useKeys(acts) {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(
    () =>
      listen((act) => {
        const run = latest.current[act];
        return run ? run() : false;
      }),
    [],
  );
}

/**
 * The time, again and again.
 * @param {number} everyMs
 */
export function useNow(everyMs) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/**
 * A value kept for this tab, out of the address: filters name agents and reasons.
 * @template T
 * @param {string} name
 * @param {T} first
 * @returns {[T, (next: T) => void]}
 */
export function useKept(name, first) {
  const [value, setValue] = useState(() => {
    try {
      const text = sessionStorage.getItem(name);
      return text === null ? first : /** @type {T} */ ({ ...first, ...JSON.parse(text) });
    } catch {
      return first;
    }
  });
  const keep = useCallback(
    (/** @type {T} */ next) => {
      sessionStorage.setItem(name, JSON.stringify(next));
      setValue(next);
    },
    [name],
  );
  return [value, keep];
}
