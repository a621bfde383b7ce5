/**
 * Texts of agents, cut and marked so that they can be shown inert: places are byte offsets into UTF-8, as the judge counts
 * them; a page needs offsets into UTF-16. Pure: no DOM, no clock.
 */

/**
 * A stretch of a text, in bytes of its UTF-8 form.
 * @typedef {object} ByteRange
 * @property {number} from first byte, from 0
 * @property {number} to byte after the last one, at least `from`
 */

/**
 * A marked stretch of a text.
 * @typedef {ByteRange & {kind: string, [other: string]: unknown}} Mark
 */

/**
 * A stretch of text and every mark over it.
 * @typedef {object} Segment
 * @property {string} text
 * @property {Mark[]} marks
 */

/**
 * A stretch of text as it is to be shown: as it stands, or as the names of characters that would not be seen.
 * @typedef {{text: string, hidden: false} | {text: string, hidden: true, name: string}} Run
 */

/** How much of a text is shown before somebody asks for more, in UTF-16 units. */
export const FIRST_CUT = 4_000;

/** How much more each "show more" gives, at first. */
const NEXT_CUT = 60_000;

/**
 * Bytes of the UTF-8 form of the character at `index`.
 * @param {string} text
 * @param {number} index a UTF-16 offset
 * @returns {{bytes: number, units: number}}
 */
function width(text, index) {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return { bytes: 1, units: 1 };
  if (unit < 0x800) return { bytes: 2, units: 1 };
  const low = text.charCodeAt(index + 1);
  const pair = unit >= 0xd800 && unit < 0xdc00 && low >= 0xdc00 && low < 0xe000;
  // half a pair cannot stand in UTF-8: it was sent as U+FFFD, three bytes
  return pair ? { bytes: 4, units: 2 } : { bytes: 3, units: 1 };
}

/**
 * UTF-16 offsets of byte offsets. One inside a character means the character's start; one past the end, the end.
 * @param {string} text
 * @param {number[]} bytes in any order
 * @returns {Map<number, number>} from byte offset to UTF-16 offset
 */
export function utf16Offsets(text, bytes) {
  const wanted = [...new Set(bytes)].sort((a, b) => a - b);
  /** @type {Map<number, number>} */
  const found = new Map();
  let at = 0;
  let index = 0;
  for (const offset of wanted) {
    while (index < text.length) {
      const { bytes: wide, units } = width(text, index);
      if (at + wide > offset) break;
      at += wide;
      index += units;
    }
    found.set(offset, index);
  }
  return found;
}

/**
 * Splits a text at the ends of its marks. Marks may overlap; one that covers nothing is left out.
 * @param {string} text
 * @param {Mark[]} marks
 * @param {number} [limit] UTF-16 units to give at most
 * @returns {Segment[]} in the order of the text, together the text up to the limit
 */
export function segments(text, marks, limit = text.length) {
  const end = cutAt(text, limit);
  const offsets = utf16Offsets(text, marks.flatMap((mark) => [mark.from, mark.to]));
  /** @param {number} bytes */
  const place = (bytes) => Math.min(end, offsets.get(bytes) ?? end);
  const placed = marks
    .map((mark) => ({ mark, start: place(mark.from), stop: place(mark.to) }))
    .filter((each) => each.stop > each.start)
    .sort((a, b) => a.start - b.start);
  const edges = [...new Set([0, end, ...placed.flatMap((each) => [each.start, each.stop])])].sort((a, b) => a - b);
  /** @type {Segment[]} */
  const out = [];
  /** @type {typeof placed} */
  let open = [];
  let next = 0;
  for (let i = 0; i + 1 < edges.length; i++) {
    const from = /** @type {number} */ (edges[i]);
    open = open.filter((each) => each.stop > from);
    for (let each = placed[next]; each && each.start === from; each = placed[++next]) open.push(each);
    out.push({ text: text.slice(from, edges[i + 1]), marks: open.map((each) => each.mark) });
  }
  return out;
}

/**
 * The offset nearest to `limit` that splits no character.
 * @param {string} text
 * @param {number} limit UTF-16 units
 */
export function cutAt(text, limit) {
  if (limit >= text.length) return text.length;
  const low = text.charCodeAt(limit);
  const high = text.charCodeAt(limit - 1);
  const splits = low >= 0xdc00 && low < 0xe000 && high >= 0xd800 && high < 0xdc00;
  return splits ? limit - 1 : limit;
}

/**
 * How much to show next, when `shown` is not enough: each step is four times the last one, so that a megabyte takes few.
 * @param {number} shown UTF-16 units shown now
 * @param {number} length of the text
 */
export function nextCut(shown, length) {
  return Math.min(length, shown < NEXT_CUT ? NEXT_CUT : shown * 4);
}

/**
 * Characters that a reader would not see, or that would move others: controls, format characters (bidi overrides, tags,
 * zero-width space), line separators, private use, variation selectors of the supplement. A joiner is left alone: Persian
 * and emoji need it.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u{E0100}-\u{E01EF}]/gu;
const PLAIN = "\n\t\u200c\u200d";

/** Names of those that attacks use; the others are shown by number. */
const NAMES = new Map([
  ["\u0000", "null"],
  ["\r", "carriage return"],
  ["\u001b", "escape"],
  ["\u00ad", "soft hyphen"],
  ["\u200b", "zero-width space"],
  ["\u200e", "left-to-right mark"],
  ["\u200f", "right-to-left mark"],
  ["\u202a", "left-to-right embedding"],
  ["\u202b", "right-to-left embedding"],
  ["\u202c", "pop directional formatting"],
  ["\u202d", "left-to-right override"],
  ["\u202e", "right-to-left override"],
  ["\u2066", "left-to-right isolate"],
  ["\u2067", "right-to-left isolate"],
  ["\u2068", "first strong isolate"],
  ["\u2069", "pop directional isolate"],
  ["\ufeff", "byte order mark"],
]);

/**
 * Splits a text into what can be shown as it stands and what must be named.
 * @param {string} text
 * @returns {Run[]}
 */
export function runs(text) {
  /** @type {Run[]} */
  const out = [];
  let done = 0;
  const windows = text.includes("\r") ? text.replace(/\r\n/g, "\n") : text;
  for (const match of windows.matchAll(UNSEEN)) {
    const [character] = match;
    if (PLAIN.includes(character)) continue;
    if (match.index > done) out.push({ text: windows.slice(done, match.index), hidden: false });
    out.push({ text: codePoint(character), hidden: true, name: NAMES.get(character) ?? "character that is not seen" });
    done = match.index + character.length;
  }
  if (done < windows.length) out.push({ text: windows.slice(done), hidden: false });
  return out;
}

/** @param {string} character */
function codePoint(character) {
  const number = /** @type {number} */ (character.codePointAt(0));
  return `U+${number.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * One line of a text for a list: no line breaks, nothing unseen, cut.
 * @param {string} text
 * @param {number} [limit] UTF-16 units
 */
export function line(text, limit = 160) {
  const start = text.slice(0, limit * 4);
  const clean = start.replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
  return clean.length > limit || start.length < text.length ? `${clean.slice(0, cutAt(clean, limit - 1))}…` : clean;
}
