/** Addresses within the console: all in the fragment, which no server sees. Pure. */

/**
 * `#/review/sidecar/id` as its parts.
 * @param {string} hash
 * @returns {string[]}
 */
export function partsOf(hash) {
  if (!hash.startsWith("#/")) return [];
  return hash
    .slice(2)
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * @param {...(string | number)} parts
 */
export function address(...parts) {
  return `#/${parts.map((part) => encodeURIComponent(String(part))).join("/")}`;
}

/**
 * What a link logs in with.
 * @param {string} hash
 * @returns {{code: string} | {link: string} | undefined}
 */
export function credential(hash) {
  if (hash.startsWith("#code=")) return { code: hash.slice(6) };
  if (hash.startsWith("#/link/")) return { link: hash.slice(7) };
  return undefined;
}
