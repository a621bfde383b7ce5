/**
 * What the server says (openapi.yaml), as types. Members that may be absent are optional.
 * @import {ByteRange} from "./text.js"
 */

/** @typedef {"execute" | "warn" | "regenerate" | "yield"} Route */
/** @typedef {"claim" | "unclaim" | "release" | "reject" | "send-back" | "undo"} ReviewAct */
/** @typedef {"pending" | "decided" | "released" | "rejected" | "delivered" | "expired" | "sent_back"} ReviewState */
/** @typedef {Record<string, number>} Counts */
/** @typedef {{certainty?: number, grounding?: number, stochasticity?: number}} Signals */
/** @typedef {{sidecar: string, id: string}} ItemRef */

/**
 * @typedef {object} Session
 * @property {string} who
 * @property {string[]} roles
 * @property {string[]} features
 * @property {"code" | "oidc" | "link"} login
 * @property {ItemRef} [item] the only item that this session may see
 * @property {number} expiresAtMs
 * @property {string} version
 */

/**
 * @typedef {object} Sidecar
 * @property {string} id
 * @property {string} agent
 * @property {string} node
 * @property {string} [version]
 * @property {boolean} attached
 * @property {number} [lastSeenMs]
 * @property {boolean} [ready]
 * @property {string[]} [why]
 * @property {boolean} [enforcing]
 * @property {number} [waiting]
 * @property {{revision?: string, refused: boolean, reason?: string, problems?: string[]}} config
 * @property {{id: string, version: number, latestVersion?: number, ageMs?: number, state: string, refused?: string}[]} cores
 */

/**
 * @typedef {object} Decision
 * @property {string} id
 * @property {string} sidecar
 * @property {number} tsMs
 * @property {Route} route
 * @property {string[]} reasons
 * @property {string} sentence
 * @property {string} action
 * @property {"observe" | "enforce"} mode
 * @property {"inbound" | "outbound"} direction
 * @property {"request" | "response"} kind
 * @property {string} protocol
 * @property {string} agent
 * @property {string} peer
 * @property {string} routeRule
 * @property {number} attempt
 * @property {string} flow
 * @property {string} [trace]
 * @property {number} [drift]
 * @property {Signals} [signals]
 * @property {string} [header]
 * @property {string} [reviewId]
 * @property {string} [bodySha256]
 * @property {number} [totalUs]
 * @property {number} [judgeUs]
 */

/** @typedef {{topic: string, text: string, bearing: "note" | "pass" | "warn" | "fail"}} Finding */
/** @typedef {{decision: Decision, line: Record<string, unknown>, findings?: Finding[], review?: ItemRef}} DecisionDetail */

/** @typedef {{who: string, act: "release" | "reject" | "send_back", note?: string, atMs: number}} HumanDecision */

/**
 * @typedef {object} ReviewSummary
 * @property {string} sidecar
 * @property {string} id
 * @property {ReviewState} state
 * @property {number} heldAtMs
 * @property {string} agent
 * @property {string} caller
 * @property {string} destination
 * @property {"inbound" | "outbound"} direction
 * @property {"request" | "response" | "term"} kind
 * @property {string} protocol
 * @property {string} routeRule
 * @property {string[]} reasons
 * @property {string} sentence
 * @property {string} excerpt
 * @property {number} [drift]
 * @property {Signals} [signals]
 * @property {string} [header]
 * @property {number} [attempts]
 * @property {string} [decisionId]
 * @property {string} [textSha256]
 * @property {boolean} [reachable] false: its sidecar is not there now
 * @property {number} [identical]
 * @property {{who: string, untilMs: number, mine?: boolean}} [claim]
 * @property {number} [dueAtMs]
 * @property {string} [queue] where it waits: default, or whom it was escalated to
 * @property {number} [escalations]
 * @property {string} [only] who alone decides, since it was escalated
 * @property {number} [people]
 * @property {number} [opinions]
 * @property {HumanDecision} [decision]
 * @property {number} [undoUntilMs]
 */

/** @typedef {{id: string, text: string, cut?: boolean}} Evidence */
/** @typedef {ByteRange & {chunk: number}} ChunkRange */

/**
 * @typedef {object} JudgedSignal
 * @property {string} name
 * @property {number} value
 * @property {number} [threshold]
 * @property {number} [warn]
 * @property {"at_least" | "at_most"} [passes]
 * @property {boolean} [ok]
 */

/** @typedef {ByteRange & {kind: "word" | "number", again?: boolean, evidence?: ChunkRange, question?: ByteRange}} JudgedWord */
/** @typedef {ByteRange & {code: string, sentence: string, instead?: ChunkRange}} Change */

/**
 * @typedef {object} JudgedClaimParts
 * @property {number} [support]
 * @property {boolean} [weak]
 * @property {ChunkRange} [nearest]
 * @property {number[]} [cites]
 * @property {Change[]} [changes]
 */
/** @typedef {ByteRange & JudgedClaimParts} JudgedClaim */

/**
 * @typedef {object} Judgement
 * @property {string} [profile]
 * @property {Route} route
 * @property {{code: string, sentence: string, helps?: string}[]} reasons
 * @property {string} [regime]
 * @property {string} [header]
 * @property {JudgedSignal[]} [signals]
 * @property {Counts} [counts]
 * @property {Record<string, number>} [features]
 * @property {JudgedWord[]} words
 * @property {(ByteRange & {ids: {id: string, chunk?: number}[]})[]} [citations]
 * @property {JudgedClaim[]} [claims]
 * @property {string[]} [notes]
 * @property {Counts} [cut]
 */

/** @typedef {{attempt: number, answer: string, evidence: Evidence[], judgement?: Judgement}} Draft */

/**
 * @typedef {object} ReviewItemParts
 * @property {string} question
 * @property {string} answer
 * @property {string} [contentType]
 * @property {number} [bodyBytes]
 * @property {string} [flow]
 * @property {Draft[]} drafts
 * @property {Evidence[]} evidence
 * @property {Judgement} [judgement]
 * @property {{what: string, who?: string, note?: string, atMs: number}[]} [history]
 * @property {ReviewAct[]} acts
 */
/** @typedef {ReviewSummary & ReviewItemParts} ReviewItem */

/** @typedef {{grounding: number[], unknown: number, reasons: Counts, routes: Counts, queues?: Counts, sidecars: Counts, states: Counts}} Distribution */

/**
 * @typedef {object} ReviewPage
 * @property {ReviewSummary[]} items
 * @property {number} total
 * @property {string} [next]
 * @property {Distribution} distribution
 * @property {string[]} [gone]
 */

/** @typedef {{sidecar: string, id: string, state: ReviewState, claim?: {who: string, untilMs: number}}} ReviewChange */

/**
 * @typedef {object} ReviewFigures
 * @property {number} waiting
 * @property {number} [claimed]
 * @property {Counts} [decided]
 * @property {Counts} [queues]
 * @property {number} [escalations]
 * @property {number} [oldestAgeMs]
 * @property {number} [medianDecisionMs]
 * @property {Agreement} [agreement]
 */

/**
 * @typedef {object} Agreement
 * @property {number} items that several people decided without seeing each other
 * @property {number} [observed]
 * @property {number} [cohenKappa]
 * @property {number} [fleissKappa]
 * @property {{one: string, other: string, items: number, observed?: number, kappa?: number}[]} [pairs]
 */

/**
 * @typedef {object} Problem
 * @property {number} status 0: the server was not reached
 * @property {string} code
 * @property {string} title
 * @property {"code" | "oidc"} [login]
 * @property {ReviewItem} [item]
 */

/** @typedef {{key: string, id: string, agents: string[], domain: string, version: number, issuedAtMs?: number, terms?: Counts}} CoreSummary */

/**
 * @typedef {object} CoreTerm
 * @property {string} term
 * @property {string} status
 * @property {string} [instead]
 * @property {number} [upper]
 * @property {number} [coverage]
 * @property {number} [audited]
 * @property {number} [contradictions]
 * @property {"added" | "removed" | "changed"} [change]
 * @property {{status?: string, upper?: number, coverage?: number}} [before]
 */
/** @typedef {CoreSummary & {versions?: number[], tau?: number, delta?: number, rhoMin?: number, list: CoreTerm[]}} Core */

/**
 * @typedef {object} RoundOutcome
 * @property {string} [kind]
 * @property {string} [reason]
 * @property {string} [verdict]
 * @property {number} [support]
 * @property {number} [runnerUp]
 * @property {string[]} [core]
 * @property {number} [minCos]
 * @property {number} [decidedAtMs]
 * @property {number} [ledgerIndex]
 */

/**
 * @typedef {object} Round
 * @property {string} key
 * @property {string} round
 * @property {number} epoch
 * @property {string} state
 * @property {string[]} members
 * @property {number} [faults]
 * @property {number} [cosMin]
 * @property {number} [openedAtMs]
 * @property {number} [deadlineAtMs]
 * @property {number} [proposed]
 * @property {RoundOutcome} [outcome]
 * @property {{agent: string, verdict?: string, standing?: string, textSha256?: string, rationale?: string}[]} [proposals]
 * @property {{a: string, b: string, cos: number, degrees: number}[]} [angles]
 */

/**
 * @typedef {object} Pact
 * @property {string} id
 * @property {string[]} parties
 * @property {string} state
 * @property {number} [startMs]
 * @property {number} [endMs]
 * @property {string} [reason]
 * @property {string} [responsible]
 * @property {Record<string, unknown>} [terms]
 * @property {{party: string, observer: string, messages: number, violations: Counts}[]} [observations]
 * @property {number} [ledgerIndex]
 */

/**
 * @typedef {object} Case
 * @property {string} negotiation
 * @property {string} initiator
 * @property {string} responder
 * @property {string} arbiter
 * @property {string} pact
 * @property {string} state
 * @property {number} [escalatedAtMs]
 * @property {number} untilMs
 * @property {string} decision
 * @property {{id: string, category: string, body: string}[]} [clauses]
 * @property {{predicate: string, ours: string, theirs: string}[]} [offers]
 */

/** @typedef {{party: string, scopeHonesty?: number, reliability?: number, counted: number}} PactScore */

/**
 * @typedef {object} BoardTerm
 * @property {string} term
 * @property {string} [definition]
 * @property {string} status
 * @property {string} [standing]
 * @property {string} [by]
 * @property {string} [visibility]
 * @property {number} [reuse]
 * @property {number} [occurrences]
 * @property {number} [turn]
 * @property {string[]} [speakers]
 * @property {boolean} [candidate]
 */

/**
 * @typedef {object} Board
 * @property {string} key
 * @property {string} board
 * @property {number} [terms]
 * @property {number} [turns]
 * @property {number} [reuse]
 * @property {number} [waiting]
 * @property {number} [changedAtMs]
 * @property {Record<string, number>} [metrics]
 * @property {BoardTerm[]} [list]
 */

/**
 * @typedef {object} Ledger
 * @property {string} origin
 * @property {number} size
 * @property {string} rootHash
 * @property {string} checkpoint
 * @property {string} verifierKey
 * @property {boolean} signed
 * @property {boolean} [extends]
 * @property {number} [since]
 */

/**
 * @typedef {object} LedgerEntry
 * @property {number} index
 * @property {string} kind
 * @property {Record<string, unknown>} [entry]
 * @property {string} [leafHash]
 * @property {{treeSize: number, rootHash: string, path: string[], holds: boolean}} [proof]
 */

export {};
