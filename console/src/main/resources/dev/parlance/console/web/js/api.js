/**
 * Calls of the server. What goes wrong is a value, with a sentence for the reader; nothing here throws.
 * @import {Problem} from "./types.js"
 */

/**
 * @template T
 * @typedef {{ok: true, value: T} | {ok: false, problem: Problem}} Result
 */

const BASE = "/api/v1";
const WAIT_MS = 20_000;

/**
 * @template T
 * @param {string} method
 * @param {string} path below /api/v1, without words of agents
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Result<T>>}
 */
async function call(method, path, body, signal) {
  const late = AbortSignal.timeout(WAIT_MS);
  /** @type {Response} */
  let response;
  try {
    response = await fetch(BASE + path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      redirect: "error",
    });
  } catch {
    return { ok: false, problem: late.aborted ? TOO_LATE : UNREACHABLE };
  }
  if (response.status === 204) return { ok: true, value: /** @type {T} */ (undefined) };
  /** @type {unknown} */
  let said;
  try {
    said = await response.json();
  } catch {
    return { ok: false, problem: unclear(response.status) };
  }
  if (response.ok) return { ok: true, value: /** @type {T} */ (said) };
  const problem = isProblem(said) ? said : unclear(response.status);
  if (problem.status === 401) lost?.(problem);
  return { ok: false, problem };
}

/** @type {Problem} */
const UNREACHABLE = {
  status: 0,
  code: "unreachable",
  title: "The console's server cannot be reached. Is its process still running, and this machine on the network?",
};

/** @type {Problem} */
const TOO_LATE = {
  status: 0,
  code: "too_late",
  title: `The console's server gave no answer within ${WAIT_MS / 1000} s. Try again; if this stays, look into its log.`,
};

/**
 * @param {number} status
 * @returns {Problem}
 */
function unclear(status) {
  return {
    status,
    code: "unclear",
    title: `The answer, with status ${status}, is not one of the console's server: something between changes it.`,
  };
}

/**
 * @param {unknown} value
 * @returns {value is Problem}
 */
function isProblem(value) {
  return typeof value === "object" && value !== null && "code" in value && "title" in value && "status" in value;
}

/** @type {((problem: Problem) => void) | undefined} */
let lost;

/**
 * Calls `act` whenever the session has ended.
 * @param {(problem: Problem) => void} act
 */
export function onSessionLost(act) {
  lost = act;
}

/**
 * @template T
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<Result<T>>}
 */
export function get(path, signal) {
  return call("GET", path, undefined, signal);
}

/**
 * @template T
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Result<T>>}
 */
export function post(path, body, signal) {
  return call("POST", path, body, signal);
}

/**
 * @param {string} path
 * @returns {Promise<Result<undefined>>}
 */
export function remove(path) {
  return call("DELETE", path);
}

/**
 * One segment of a path.
 * @param {string | number} part
 */
export function segment(part) {
  return encodeURIComponent(String(part));
}

/**
 * `?name=value&...` of what is given.
 * @param {Record<string, string | number | undefined>} parameters
 */
export function query(parameters) {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, String(value)]]));
  return given.length ? `?${new URLSearchParams(given)}` : "";
}
