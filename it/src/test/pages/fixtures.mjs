// Fixed data for the pages: what the contract's answers look like, with texts that try to be more than texts.

export const HOSTILE = {
  script: `<script>window.harmed = 1</script><img src=x onerror="window.harmed = 2"><a href="javascript:window.harmed = 3">click</a>`,
  bidi: "The transfer goes to \u202Eesrever ni\u202C account 12\u2066\u2067 and \u200Bnobody\u0000 else\u001b[31m.",
  rtl: "الفاتورة مستحقة خلال 30 يوما \u2067 abc",
  long: `${"A sentence of a megabyte that says nothing new. ".repeat(22_000)}The end.`,
};

const EVIDENCE = [
  { id: "policy-7", text: "Refunds are paid within 30 days of the return. The customer keeps the receipt. A café voucher is never refunded." },
  { id: "faq-2", text: "Returns need the original box. Shipping costs are not refunded." },
];
const ANSWERS = [
  "Refunds are paid within 14 days of the return. [policy-7] Shipping costs are refunded too.",
  "The customer keeps the receipt. Unicorns 🦄 approve every café voucher immediately.",
  "Returns need the original box. Our manager will call you on Sunday.",
];
const QUESTION = "How long does a refund take, and are shipping costs refunded?";
const REASONS = ["number_changed", "grounding_low", "errors_exhausted"];
const SENTENCES = [
  "A number of the answer stands otherwise in the evidence.",
  "Too little of the answer stands in the evidence.",
  "The agent was asked again as often as the route allows, and was not better.",
];

const encoder = new TextEncoder();
const bytes = (text) => encoder.encode(text).length;

function tokens(text) {
  return [...text.slice(0, 20_000).matchAll(/[\p{L}\p{N}]+/gu)].map((match) => {
    const from = bytes(text.slice(0, match.index));
    return { word: match[0].toLowerCase(), from, to: from + bytes(match[0]) };
  });
}

/** A judgement of the contract's shape. It counts words and knows nothing of meaning. */
export function judgement(answer, evidence, question) {
  const chunks = evidence.map((each) => tokens(each.text));
  const asked = tokens(question);
  const seen = new Set();
  const words = tokens(answer).map(({ word, from, to }) => {
    const chunk = chunks.findIndex((each) => each.some((token) => token.word === word));
    const there = chunk < 0 ? undefined : chunks[chunk].find((token) => token.word === word);
    const inQuestion = asked.find((token) => token.word === word);
    const again = seen.has(word);
    seen.add(word);
    return {
      from,
      to,
      kind: /^\d/.test(word) ? "number" : "word",
      ...(again ? { again } : {}),
      ...(there ? { evidence: { chunk, from: there.from, to: there.to } } : {}),
      ...(inQuestion ? { question: { from: inQuestion.from, to: inQuestion.to } } : {}),
    };
  });
  const claims = [...answer.slice(0, 20_000).matchAll(/[^.]+\./g)].slice(0, 50).map((match) => {
    const from = bytes(answer.slice(0, match.index));
    const to = from + bytes(match[0]);
    const mine = words.filter((word) => word.from >= from && word.to <= to);
    const found = mine.filter((word) => word.evidence);
    const near = found[0]?.evidence;
    const number = mine.find((word) => word.kind === "number" && !word.evidence);
    return {
      from,
      to,
      support: mine.length ? found.length / mine.length : 0,
      weak: found.length < mine.length * 0.6,
      ...(near ? { nearest: { chunk: near.chunk, from: 0, to: bytes(evidence[near.chunk].text.split(".")[0]) + 1 } } : {}),
      changes: number && near ? [{ code: "number_changed", sentence: "says another number", from: number.from, to: number.to, instead: { chunk: 0, from: 24, to: 26 } }] : [],
    };
  });
  const cite = answer.indexOf("[policy-7]");
  return {
    profile: "parlance",
    route: "regenerate",
    reasons: [{ code: REASONS[0], sentence: SENTENCES[0], helps: "Take the number from the evidence." }],
    signals: [
      { name: "grounding", value: 0.21, threshold: 0.33, passes: "at_least", ok: false },
      { name: "stochasticity", value: 0.2, threshold: 0.67, passes: "at_most", ok: true },
      { name: "drift", value: 0.17, warn: 0.12, threshold: 0.22, passes: "at_most", ok: true },
      { name: "certainty", value: 0.33 },
    ],
    words,
    citations: cite < 0 ? [] : [{ from: bytes(answer.slice(0, cite)), to: bytes(answer.slice(0, cite)) + 10, ids: [{ id: "policy-7", chunk: 0 }] }],
    claims,
    cut: { words: 0, citations: 0, claims: 0 },
  };
}

export const SIDECARS = ["billing-0", "support-0", "legal-0"];

/** 500 held messages of three sidecars; the last ones have hostile texts. */
export function heldItems(now) {
  const items = Array.from({ length: 500 }, (_, i) => {
    const kind = i % 3;
    const answer = i % 10 === 9 ? ANSWERS[2] : `${ANSWERS[kind]} Case ${i}.`;
    return held(i, kind, answer, now);
  });
  [HOSTILE.script, HOSTILE.bidi, HOSTILE.rtl, HOSTILE.long].forEach((text, i) => {
    items[i + 40] = held(i + 40, 0, text, now);
  });
  return items;
}

function held(i, kind, answer, now) {
  const number = String(i).padStart(4, "0");
  return {
    sidecar: SIDECARS[i % 3],
    id: `r-${number}`,
    state: "pending",
    heldAtMs: now - (500 - i) * 37_000,
    agent: SIDECARS[i % 3].split("-")[0],
    caller: "shop-front",
    destination: `${SIDECARS[i % 3].split("-")[0]}.agents:8080`,
    direction: "inbound",
    kind: "response",
    protocol: "a2a-1.0",
    routeRule: ["refunds", "advice", "contracts"][i % 3],
    reasons: [REASONS[kind]],
    sentence: SENTENCES[kind],
    excerpt: answer.slice(0, 400),
    drift: ((i * 37) % 100) / 100,
    signals: { certainty: 0.33, grounding: ((i * 53) % 100) / 250, stochasticity: 0.2 },
    queue: "default",
    escalations: 0,
    attempts: 2,
    decisionId: `d-${number}`,
    textSha256: answer === ANSWERS[2] ? "aa".repeat(32) : `${number}${"b".repeat(60)}`,
    identical: answer === ANSWERS[2] ? 50 : 1,
    question: QUESTION,
    answer,
    contentType: "application/json",
    bodyBytes: answer.length + 300,
    drafts: [
      { attempt: 1, answer: "You get your money back whenever you like.", evidence: EVIDENCE, judgement: judgement("You get your money back whenever you like.", EVIDENCE, QUESTION) },
      { attempt: 2, answer, evidence: EVIDENCE, judgement: judgement(answer, EVIDENCE, QUESTION) },
    ],
    evidence: EVIDENCE,
    history: [{ what: "held", atMs: now - (500 - i) * 37_000 }],
    dueAtMs: now + 3_600_000,
  };
}

let next = 0;
const ROUTES = ["execute", "execute", "execute", "warn", "execute", "regenerate", "execute", "yield"];

export function decision(now) {
  const i = next++;
  const route = ROUTES[i % ROUTES.length];
  return {
    id: `d-live-${i}`,
    sidecar: SIDECARS[i % 3],
    tsMs: now,
    route,
    reasons: [route === "execute" ? "ok" : REASONS[i % 3]],
    sentence: route === "execute" ? "Nothing speaks against it." : SENTENCES[i % 3],
    action: route === "execute" ? "forward" : route === "yield" ? "hold" : "ask_again",
    mode: i % 11 === 0 ? "observe" : "enforce",
    direction: i % 2 ? "inbound" : "outbound",
    kind: "response",
    protocol: "a2a-1.0",
    agent: SIDECARS[i % 3].split("-")[0],
    peer: i % 5 ? "shop-front" : "planner",
    routeRule: "refunds",
    attempt: 1,
    flow: `t-${i}`,
    drift: 0.1 + 0.35 * Math.abs(Math.sin(i / 40 + (i % 3))),
    signals: { certainty: 0.8, grounding: 0.7, stochasticity: 0.1 },
    bodySha256: "ab".repeat(32),
    totalUs: 900,
    judgeUs: 210,
  };
}

export const STATIC = {
  "/cores": { cores: [{ key: "k1", id: "billing+support/refunds", agents: ["billing", "support"], domain: "refunds", version: 4, issuedAtMs: 1_760_000_000_000, terms: { certified: 12, refused: 2 } }] },
  "/cores/k1": {
    key: "k1", id: "billing+support/refunds", agents: ["billing", "support"], domain: "refunds", version: 4, issuedAtMs: 1_760_000_000_000,
    versions: [4, 3, 2], tau: 0.05, delta: 0.05, rhoMin: 0.8,
    list: [
      { term: "refund", status: "certified", upper: 0.031, coverage: 0.94, audited: 120, contradictions: 1, change: "changed", before: { status: "certified", upper: 0.044 } },
      { term: "chargeback", status: "refused", instead: "reversal", upper: 0.12, coverage: 0.9, audited: 60, contradictions: 5, change: "added" },
    ],
  },
  "/rounds": { rounds: [{ key: "r1", round: "price-limit", epoch: 3, state: "sealed", members: ["billing", "legal", "support"], proposed: 3, openedAtMs: 1_760_000_000_000, outcome: { kind: "semantic", verdict: "approve" } }] },
  "/rounds/r1": {
    key: "r1", round: "price-limit", epoch: 3, state: "sealed", members: ["billing", "legal", "support"], faults: 0, cosMin: 0.8, openedAtMs: 1_760_000_000_000,
    outcome: { kind: "semantic", verdict: "approve", support: 2, runnerUp: 1, core: ["billing", "legal"], minCos: 0.91, ledgerIndex: 5 },
    proposals: [{ agent: "billing", verdict: "approve", standing: "counted", textSha256: "cd".repeat(32), rationale: "The limit is in the contract." }, { agent: "legal", verdict: "approve", standing: "counted" }, { agent: "support", standing: "equivocated" }],
    angles: [{ a: "billing", b: "legal", degrees: 24.5, cos: 0.91 }],
  },
  "/pacts": {
    pacts: [{ id: "p-1", parties: ["billing", "support"], state: "dissolved", startMs: 1_760_000_000_000, endMs: 1_760_000_900_000, reason: "breach", responsible: "support", terms: { maxTokens: 200 }, observations: [{ party: "support", observer: "billing", messages: 41, violations: { max_tokens: 2 } }, { party: "billing", observer: "support", messages: 40, violations: {} }], ledgerIndex: 7 }],
    scores: [{ party: "billing", scopeHonesty: 0.98, reliability: 1, counted: 12 }],
    cases: [{ negotiation: "n-7kq2", initiator: "support", responder: "billing", arbiter: "board", pact: "p-9", state: "waiting", escalatedAtMs: 1_760_000_000_000, untilMs: 1_760_003_600_000, decision: "board/n-7kq2@1", clauses: [{ id: "size", category: "output", body: "max_kb=16" }, { id: "scope", category: "scope", body: "fields=name,company" }], offers: [{ predicate: "size", key: "", ours: "max_kb=64", theirs: "max_kb=16" }] }],
  },
  "/boards": { boards: [{ key: "b1", board: "trip-planning", terms: 2, turns: 30, reuse: 17, waiting: 1, changedAtMs: 1_760_000_000_000 }] },
  "/boards/b1": { key: "b1", board: "trip-planning", turns: 30, reuse: 17, waiting: 1, metrics: { uptake: 0.8, compression: 0.42 }, list: [{ term: "redeye-ok", definition: "a flight at night is acceptable", status: "accepted", by: "planner", turn: 3, reuse: 12, occurrences: 14, speakers: ["planner", "booker"], candidate: true }, { term: "soft-hold", definition: "a seat kept without money", status: "proposed", by: "booker", turn: 9, reuse: 5, occurrences: 6, speakers: ["booker"] }] },
  "/ledger": { origin: "parlance.example/ledger", size: 9, rootHash: "0a".repeat(32), checkpoint: "parlance.example/ledger\n9\nCgoK\n\n— parlance.example/ledger AAAA\n", verifierKey: "parlance.example/ledger+aabbccdd+AAAA", signed: true, extends: true, since: 7 },
  "/ledger/entries": { entries: [{ index: 8, kind: "review_decision", leafHash: "0b".repeat(32) }, { index: 7, kind: "pact_ended", leafHash: "0c".repeat(32) }, { index: 0, kind: "genesis", leafHash: "0d".repeat(32) }] },
  "/ledger/entries/7": { index: 7, kind: "pact_ended", leafHash: "0c".repeat(32), entry: { pact: "p-1" }, proof: { treeSize: 9, rootHash: "0a".repeat(32), path: ["1a".repeat(32), "2a".repeat(32)], holds: true } },
};
