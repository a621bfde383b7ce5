/**
 * From a judgement to marks over the answer and over the evidence. Pure.
 * @import {Evidence, JudgedClaim, Judgement} from "./types.js"
 * @import {Mark} from "./text.js"
 */

/**
 * Marks of an answer: words that stand nowhere or only in the question, changes, citations, sentences.
 * @param {Judgement | undefined} judgement
 * @returns {Mark[]}
 */
export function answerMarks(judgement) {
  if (!judgement) return [];
  /** @type {Mark[]} */
  const marks = [];
  (judgement.claims ?? []).forEach((claim, number) => {
    marks.push({ from: claim.from, to: claim.to, kind: "claim", claim: number });
    if (claim.weak) marks.push({ from: claim.from, to: claim.to, kind: "weak" });
    for (const change of claim.changes ?? []) marks.push({ from: change.from, to: change.to, kind: "changed" });
  });
  for (const word of judgement.words) {
    if (word.evidence) continue;
    marks.push({ from: word.from, to: word.to, kind: word.question ? "question" : "nowhere" });
  }
  for (const citation of judgement.citations ?? []) {
    const known = citation.ids.every((id) => id.chunk !== undefined);
    marks.push({ from: citation.from, to: citation.to, kind: known ? "citation" : "unknown" });
  }
  return marks;
}

/**
 * Marks of one chunk of evidence for the sentence that was picked: where it stands nearest, which of its words stand there.
 * @param {Judgement | undefined} judgement
 * @param {number | undefined} picked number of the sentence
 * @param {number} chunk
 * @returns {Mark[]}
 */
export function evidenceMarks(judgement, picked, chunk) {
  const claim = picked === undefined ? undefined : judgement?.claims?.[picked];
  if (!judgement || !claim) return [];
  /** @type {Mark[]} */
  const marks = [];
  if (claim.nearest?.chunk === chunk) marks.push({ ...claim.nearest, kind: "near" });
  for (const word of wordsOf(judgement, claim)) {
    if (word.evidence?.chunk === chunk) marks.push({ from: word.evidence.from, to: word.evidence.to, kind: "exact" });
  }
  for (const change of claim.changes ?? []) {
    if (change.instead?.chunk === chunk) marks.push({ from: change.instead.from, to: change.instead.to, kind: "changed" });
  }
  return marks;
}

/**
 * @param {Judgement} judgement
 * @param {JudgedClaim} claim
 */
export function wordsOf(judgement, claim) {
  return judgement.words.filter((word) => word.from >= claim.from && word.to <= claim.to);
}

/**
 * The chunks to show, those that the picked sentence stands nearest to first.
 * @param {Evidence[]} evidence
 * @param {Judgement | undefined} judgement
 * @param {number | undefined} picked
 * @returns {{chunk: Evidence, index: number, near: boolean}[]}
 */
export function orderedEvidence(evidence, judgement, picked) {
  const claim = picked === undefined ? undefined : judgement?.claims?.[picked];
  const near = new Set([claim?.nearest?.chunk, ...(claim?.cites ?? [])]);
  const all = evidence.map((chunk, index) => ({ chunk, index, near: near.has(index) }));
  return [...all.filter((each) => each.near), ...all.filter((each) => !each.near)];
}

/**
 * How many different words of an answer stand nowhere.
 * @param {Judgement} judgement
 */
export function unsupported(judgement) {
  return judgement.words.filter((word) => !word.evidence && !word.question && !word.again).length;
}
