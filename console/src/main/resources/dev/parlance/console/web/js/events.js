/**
 * The server's events, for as long as somebody listens. The browser itself resumes a stream that broke (Last-Event-ID); one that
 * the server refused is tried again here, later and later. A stream that begins anew begins with `reset`: lists are loaded then.
 */

/** @typedef {"connecting" | "open" | "lost"} Connection */
/** @typedef {"decision" | "review" | "sidecar" | "reset"} EventName */

const NAMES = /** @type {const} */ (["decision", "review", "sidecar", "reset"]);
const RETRY_FIRST_MS = 1_000;
const RETRY_LAST_MS = 30_000;

/** @type {Map<EventName, Set<(data: any) => void>>} */
const listeners = new Map(NAMES.map((name) => [name, new Set()]));
/** @type {Set<(state: Connection) => void>} */
const watchers = new Set();

/** @type {Connection} */
let state = "connecting";
/** @type {EventSource | undefined} */
let source;
let retryMs = RETRY_FIRST_MS;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {Connection} next */
function become(next) {
  if (next === state) return;
  state = next;
  for (const watcher of watchers) watcher(state);
}

/** Connects, unless it is connected. */
export function connect() {
  if (source && source.readyState !== EventSource.CLOSED) return;
  clearTimeout(timer);
  const here = new EventSource("/api/v1/events");
  source = here;
  here.onopen = () => {
    retryMs = RETRY_FIRST_MS;
    become("open");
  };
  here.onerror = () => {
    become("lost");
    if (here.readyState === EventSource.CLOSED) {
      timer = setTimeout(connect, retryMs);
      retryMs = Math.min(RETRY_LAST_MS, retryMs * 2);
    }
  };
  for (const name of NAMES) {
    here.addEventListener(name, (event) => {
      const data = parse(event.data);
      if (data !== undefined) tell(name, data);
    });
  }
}

/** Ends the stream. */
export function disconnect() {
  clearTimeout(timer);
  source?.close();
  source = undefined;
}

/** @param {string} data */
function parse(data) {
  try {
    return JSON.parse(data);
  } catch {
    console.warn("an event is no JSON and was left out");
    return undefined;
  }
}

/**
 * @param {EventName} name
 * @param {unknown} data
 */
function tell(name, data) {
  for (const listener of listeners.get(name) ?? []) listener(data);
}

/**
 * @template T
 * @param {EventName} name
 * @param {(data: T) => void} listener
 * @returns {() => void} ends it
 */
export function on(name, listener) {
  listeners.get(name)?.add(listener);
  return () => void listeners.get(name)?.delete(listener);
}

/** The connection as it stands. */
export function connection() {
  return state;
}

/**
 * @param {(state: Connection) => void} watcher
 * @returns {() => void} ends it
 */
export function onConnection(watcher) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
