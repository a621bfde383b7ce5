/** Numbers, times and names as people read them. Pure: the time is an argument. */

/**
 * @param {number | null | undefined} value
 * @param {number} [digits] after the point
 */
export function number(value, digits = 2) {
  return value === null || value === undefined || !Number.isFinite(value) ? "–" : value.toFixed(digits);
}

/** @param {number | null | undefined} value */
export function count(value) {
  return value === null || value === undefined ? "–" : value.toLocaleString("en-GB");
}

/**
 * @param {number} value
 * @param {string} one
 * @param {string} [many]
 */
export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/**
 * How long ago or until, in the largest unit that is not zero.
 * @param {number} ms
 */
export function duration(ms) {
  const s = Math.floor(Math.abs(ms) / 1000);
  if (s < 60) return `${s} s`;
  if (s < 3_600) return `${Math.floor(s / 60)} min`;
  if (s < 172_800) return `${Math.floor(s / 3_600)} h`;
  return `${Math.floor(s / 86_400)} d`;
}

/**
 * A point in time, in milliseconds, however the server wrote it.
 * @param {string | number | null | undefined} time
 * @returns {number} NaN if there is none
 */
export function millis(time) {
  if (typeof time === "number") return time;
  return time ? Date.parse(time) : NaN;
}

/**
 * @param {string | number | null | undefined} time
 * @param {number} nowMs
 */
export function ago(time, nowMs) {
  const at = millis(time);
  if (!Number.isFinite(at)) return "–";
  return nowMs - at < 1_000 && nowMs >= at ? "now" : at > nowMs ? `in ${duration(at - nowMs)}` : `${duration(nowMs - at)} ago`;
}

/**
 * Time of day, to the second, in the reader's own zone.
 * @param {string | number | null | undefined} time
 */
export function clock(time) {
  const at = millis(time);
  return Number.isFinite(at) ? new Date(at).toLocaleTimeString("en-GB") : "–";
}

/**
 * Date and time in the reader's own zone.
 * @param {string | number | null | undefined} time
 */
export function dateTime(time) {
  const at = millis(time);
  return Number.isFinite(at) ? new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" }) : "–";
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** @param {string} code snake_case, as reasons are written */
export function words(code) {
  return code.replace(/[_-]/g, " ").replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
}

/** @param {string} word */
export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * The first characters of a digest or id.
 * @param {string} id
 * @param {number} [length]
 */
export function short(id, length = 12) {
  return id.length > length ? `${id.slice(0, length)}…` : id;
}
