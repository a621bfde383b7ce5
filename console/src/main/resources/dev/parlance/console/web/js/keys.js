/**
 * Keys of the console: one table, shown beside the buttons and in the help, and the rule when a key counts. Pure but for
 * `listen`.
 */

/**
 * What a key does.
 * @typedef {"next" | "previous" | "open" | "claim" | "approve" | "reject" | "undo" | "search" | "help" | "close"} Act
 */

/** @type {ReadonlyArray<{key: string, shown: string, act: Act, what: string}>} */
export const KEYS = [
  { key: "j", shown: "j", act: "next", what: "next row" },
  { key: "k", shown: "k", act: "previous", what: "previous row" },
  { key: "Enter", shown: "Enter", act: "open", what: "open the row" },
  { key: "c", shown: "c", act: "claim", what: "claim, or give the claim back" },
  { key: "a", shown: "a", act: "approve", what: "release to the receiver" },
  { key: "r", shown: "r", act: "reject", what: "reject" },
  { key: "u", shown: "u", act: "undo", what: "undo the last decision while it does not count yet" },
  { key: "/", shown: "/", act: "search", what: "search" },
  { key: "?", shown: "?", act: "help", what: "show or hide the keys" },
  { key: "Escape", shown: "Esc", act: "close", what: "leave a field, close a dialog" },
];

/**
 * The key of an act, as it is shown.
 * @param {Act} act
 */
export function keyOf(act) {
  return KEYS.find((row) => row.act === act)?.shown ?? "";
}

/**
 * Where the focus is when a key is pressed: in a field for words, on something that Enter itself sets off, or elsewhere.
 * @typedef {"words" | "control" | "page"} Place
 */

/**
 * What a pressed key means; empty when it means nothing to the console. Single letters can be switched off (WCAG 2.1.4): who
 * dictates sets them off unawares.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, repeat?: boolean}} event
 * @param {Place} place
 * @param {boolean} letters whether single letters count
 * @returns {Act | undefined}
 */
export function actOf(event, place, letters) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const row = KEYS.find((each) => each.key === event.key);
  if (!row) return undefined;
  if (row.act === "close") return row.act;
  if (place === "words") return undefined;
  if (row.act === "open") return place === "control" ? undefined : row.act;
  if (!letters) return undefined;
  // a key that is held down walks through the rows; it does not decide about each of them
  const walks = row.act === "next" || row.act === "previous";
  return event.repeat && !walks ? undefined : row.act;
}

/**
 * @param {EventTarget | null} target
 * @returns {Place}
 */
export function placeOf(target) {
  if (!(target instanceof Element)) return "page";
  if (target.matches("textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable]")) return "words";
  return target.closest("a[href], button, summary, input, [role=button]") ? "control" : "page";
}

const LETTERS_OFF = "parlance.letters";

export function lettersOn() {
  return localStorage.getItem(LETTERS_OFF) !== "off";
}

/** @param {boolean} on */
export function setLetters(on) {
  if (on) localStorage.removeItem(LETTERS_OFF);
  else localStorage.setItem(LETTERS_OFF, "off");
}

/**
 * Calls `handle` for every key that means something, until the returned function is called. A handler that returns false has
 * not used the key, and the browser has it.
 * @param {(act: Act) => boolean | void} handle
 * @returns {() => void}
 */
export function listen(handle) {
  /** @param {KeyboardEvent} event */
  const on = (event) => {
    // behind an open dialog nothing acts, and its own keys are the browser's
    const elsewhere = event.defaultPrevented || document.querySelector("dialog[open]") !== null;
    const act = elsewhere ? undefined : actOf(event, placeOf(event.target), lettersOn());
    if (act && handle(act) !== false) event.preventDefault();
  };
  document.addEventListener("keydown", on);
  return () => document.removeEventListener("keydown", on);
}
