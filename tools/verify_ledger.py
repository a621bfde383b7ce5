#!/usr/bin/env python3
"""Checks an exported Parlance ledger: hashes, root, signatures, draws, decisions, cores, rounds, pacts, boards.

Usage: verify_ledger.py EXPORT.jsonl [VKEY [MEMBERS [FAULTS]]]
       verify_ledger.py -
       verify_ledger.py --proofs PROOFS MEMBERS

MEMBERS is a file with keys of members of rounds, one a line, from the members themselves: every commit must be signed
by 2f+1 of them, and the keys on the ledger count for nothing there. FAULTS is the smallest f that is taken (1).

With "-" each line of the standard input names an export and, after tabs, what else is given; after the
report of each comes a line "status: N", N being the exit status that the export alone would give.

With --proofs no ledger is read: PROOFS holds records, as `parlance ledger proofs` prints them, of members that have
signed two proposals or two outcomes in one epoch of a round, and each is checked with the keys in MEMBERS alone.

Python's standard library only; written from docs/evidence.md, and from nothing else of Parlance.
Exit status: 0 everything follows, 1 something does not, 2 not an export, or a file that cannot be read; of several
exports the highest.
"""
import base64
import collections
import decimal
import functools
import hashlib
import itertools
import json
import math
import re
import statistics
import struct
import sys
import time
import unicodedata
from bisect import bisect_left, bisect_right

SHOWN = 20


def sha256(data):
    return hashlib.sha256(data).digest()


# ---- Ed25519, verification only (RFC 8032, section 5.1) ----

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def x_of(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point(data):
    number = int.from_bytes(data, "little")
    y = number & (2**255 - 1)
    x = x_of(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


@functools.lru_cache(maxsize=64)
def multiples(p):
    """For each four bits of a scalar, what they are worth: few keys sign many notes."""
    rows = []
    for _ in range(64):
        row = [(0, 1, 1, 0)]
        for _ in range(16):
            row.append(add(row[-1], p))
        p = row.pop()
        rows.append(row)
    return rows


def times(scalar, p):
    result = (0, 1, 1, 0)
    for row in multiples(p):
        result = add(result, row[scalar & 15])
        scalar >>= 4
    return result


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (x_of(BASE_Y, 0), BASE_Y, 1, x_of(BASE_Y, 0) * BASE_Y % P)


@functools.lru_cache(maxsize=4096)
def ed25519_holds(public, message, signature):
    key = point(public)
    r = point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(public) != 32 or len(signature) != 64 or key is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little")
    left, right = times(s, BASE), add(r, times(h % ORDER, key))
    return ((left[0] * right[2] - right[0] * left[2]) % P == 0
            and (left[1] * right[2] - right[1] * left[2]) % P == 0)


# ---- the tree and the checkpoint ----

class Root:
    """The root over leaves that come one by one: subtrees of falling size wait to be joined."""

    def __init__(self):
        self.size = 0
        self.waiting = []

    def append(self, leaf):
        self.size += 1
        level = 0
        while self.waiting and self.waiting[-1][0] == level:
            leaf = sha256(b"\x01" + self.waiting.pop()[1] + leaf)
            level += 1
        self.waiting.append((level, leaf))

    def hash(self):
        if not self.waiting:
            return sha256(b"")
        result = self.waiting[-1][1]
        for _, left in reversed(self.waiting[:-1]):
            result = sha256(b"\x01" + left + result)
        return result


def open_checkpoint(note, vkey):
    """(origin, size, root), or a text saying why not."""
    try:
        name, key_id, key = vkey.split("+", 2)
        key = base64.b64decode(key, validate=True)
        body, lines = note.rsplit("\n\n", 1)
        text = body + "\n"
        origin, size, root = text.split("\n")[:3]
        root = base64.b64decode(root, validate=True)
        expected_id = sha256(name.encode() + b"\n" + key)[:4]
        if len(key) != 33 or key[0] != 1 or expected_id.hex() != key_id:
            return "the key is not an Ed25519 key with that id"
        for line in lines.split("\n")[:-1]:
            dash, signer, signature = line.split(" ")
            signature = base64.b64decode(signature, validate=True)
            if dash == "\u2014" and signer == name and signature[:4] == expected_id:
                if not ed25519_holds(key[1:], text.encode(), signature[4:]):
                    return "the signature does not hold"
                if origin != name or not re.fullmatch(r"0|[1-9][0-9]*", size) or len(root) != 32:
                    return "the signed text is no checkpoint of this log"
                return origin, int(size), root
        return "the log has not signed it"
    except ValueError as problem:
        return f"not a signed note with a key: {problem}"


# ---- bounds ----

def binomial_log(k, i):
    return math.log(math.comb(k, i))


def wilson_upper(c, k, delta):
    if k == 0:
        return 1.0
    z = -statistics.NormalDist().inv_cdf(delta)
    p = c / k
    root = math.sqrt(p * (1 - p) / k + z * z / (4 * k * k))
    return min(1.0, max(0.0, (p + z * z / (2 * k) + z * root) / (1 + z * z / k)))


def bisect(low, high, is_above):
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if is_above(middle):
            high = middle
        else:
            low = middle
    return high


def exact_upper(c, k, delta):
    if c == k:
        return 1.0
    logs = [binomial_log(k, i) for i in range(c + 1)]

    def tail(p):
        return math.fsum(
            math.exp(logs[i] + i * math.log(p) + (k - i) * math.log1p(-p)) for i in range(c + 1))
    return bisect(c / k, 1.0, lambda p: p >= 1.0 or tail(p) <= delta)


def log_e(c, k, tau):
    """ln of B(c+1,k-c+1) P(Bin(k+1,tau) >= c+1) / (tau^(c+1) (1-tau)^(k-c))."""
    # 1/B(c+1,k-c+1) is (c+1) comb(k+1,c+1), so what is left is the tail divided by its first term.
    odds = tau / (1 - tau)
    term, total, scale = 1.0, 1.0, 0.0
    for i in range(c + 1, k + 1):
        term *= odds * (k + 1 - i) / (i + 1)
        total += term
        if total > 1e200:
            term, total, scale = term / 1e200, total / 1e200, scale + 200 * math.log(10)
        if term < total * 1e-18 and i > tau * k:
            break
    return math.log(total) + scale - math.log(c + 1)


def anytime_upper(c, k, delta):
    if c == k:
        return 1.0
    return bisect(c / k, 1.0, lambda t: t >= 1.0 or (t > 0 and log_e(c, k, t) >= -math.log(delta)))


UPPER = {"wilson": wilson_upper, "exact": exact_upper, "anytime": anytime_upper}


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


# ---- rounds: the algorithm hcsc-mda-1 ----

SCALE = 32767


def best_core(vectors, size, cos_min, apart=frozenset()):
    """(smallest cosine, sum of dot products, indices) of the best subset of a size, or None.

    apart: pairs of indices, the smaller one first, that are in no subset together.
    """
    squares = [sum(x * x for x in v) for v in vectors]
    dots, cosines = {}, {}
    for i, u in enumerate(vectors):
        for j in range(i + 1, len(vectors)):
            dots[i, j] = sum(x * y for x, y in zip(u, vectors[j]))
            cosines[i, j] = dots[i, j] / math.sqrt(squares[i] * squares[j])
    best = None

    def extend(chosen, least, total):
        nonlocal best
        if len(chosen) == size:
            # Subsets come in lexicographic order, so that of equal ones the first stays.
            if best is None or (least, total) > best[:2]:
                best = (least, total, chosen)
            return
        last = len(vectors) - (size - len(chosen))
        for j in range(chosen[-1] + 1 if chosen else 0, last + 1):
            links = [cosines[i, j] for i in chosen]
            if all(link >= cos_min for link in links) and not any((i, j) in apart for i in chosen):
                extend(chosen + [j], min([least] + links), total + sum(dots[i, j] for i in chosen))

    extend([], math.inf, 0)
    return best


def direction_of(vectors):
    """The quantised direction of a sum, None if the vectors cancel out."""
    total = [sum(column) for column in zip(*vectors)]
    norm = math.sqrt(sum(x * x for x in total))
    return [round(x / norm * SCALE) for x in total] if norm else None


def big_endian(vector):
    return struct.pack(f">{len(vector)}h", *vector)


def differences_of(text):
    """The pairs that a seal parts: (first, second, kind), or an error if the text is none."""
    found = [tuple(one.split(" ")) for one in text.split(";")] if text else []
    for first, second, kind in found:
        if (not NAME.fullmatch(first) or not NAME.fullmatch(second) or first >= second
                or not re.fullmatch("[a-z][a-z_]{0,63}", kind)):
            raise ValueError("no difference of two members")
    if [one[:2] for one in found] != sorted({one[:2] for one in found}):
        raise ValueError("differences twice or out of order")
    return found


def listed_of(text):
    """What a seal says that texts list: {(agent, number): SHA-256} and {(agent, number, agent, number)}."""
    claims, matches = [], []
    for one in text.split(";") if text else []:
        parts = one.split(" ")
        names, numbers = parts[0:3:2] if len(parts) == 4 else parts[:1], parts[1::2]
        if (not all(NAME.fullmatch(name) for name in names) or not all(re.fullmatch("[1-8]", n) for n in numbers)
                or len(parts) not in (3, 4) or len(parts) == 3 and (matches or not HEX.fullmatch(parts[2]))
                or len(parts) == 4 and parts[0] >= parts[2]):
            raise ValueError("no claim of a member and no match of two")
        (claims if len(parts) == 3 else matches).append(
            (parts[0], int(parts[1]), parts[2] if len(parts) == 3 else (parts[2], int(parts[3]))))
    if len({agent for agent, _, _ in claims}) > 16 or matches != sorted(set(matches)):
        raise ValueError("claims of too many members, or matches twice or out of order")
    named = {(agent, number): digest for agent, number, digest in claims}
    if list(named) != sorted(named) or len(named) != len(claims):
        raise ValueError("claims twice or out of order")
    if not all((agent, number) in named and other in named for agent, number, other in matches):
        raise ValueError("a match of claims that are not named")
    return named, {((agent, number), other) for agent, number, other in matches}


def common_claims(core, named, matches):
    """The claims that all of a core list, each as [(agent, number)] by agent."""
    chains = [[claim] for claim in sorted(named) if claim[0] == core[0]]
    for agent in core[1:]:
        used, longer = set(), []
        for chain in chains:
            same = [claim for claim in sorted(named) if claim[0] == agent and claim not in used
                    and all((one, claim) in matches for one in chain)]
            if same:
                used.add(same[0])
                longer.append(chain + same[:1])
        chains = longer
    return chains


def best_claim_core(agents, vectors, size, cos_min, apart, named, matches):
    """(most claims, smallest cosine, sum of dot products, indices, claims) of the best subset, or None."""
    squares = [sum(x * x for x in v) for v in vectors]
    best = None
    for chosen in itertools.combinations(range(len(vectors)), size):
        pairs = list(itertools.combinations(chosen, 2))
        if any(pair in apart for pair in pairs):
            continue
        claims = common_claims([agents[i] for i in chosen], named, matches)
        if not claims:
            continue
        dots = [sum(x * y for x, y in zip(vectors[i], vectors[j])) for i, j in pairs]
        links = [dot / math.sqrt(squares[i] * squares[j]) for dot, (i, j) in zip(dots, pairs)]
        found = (len(claims), min(links, default=math.inf), sum(dots))
        if all(link >= cos_min for link in links) and (best is None or found > best[:3]):
            best = (*found, chosen, claims)
    return best


def hcsc(spec, proposals, differs="", listed=""):
    """The outcome of a round: a dictionary of what a decision says.

    spec: round, members, faults, encoder, dim, cosMin, extraMargin, fallback (bool).
    proposals: (agent, verdict, SHA-256 of the text, vector or "malformed" or "unencoded"), in order.
    differs: what is critical between texts of members, as the seal of a round has it that asks for it.
    listed: what these texts list, as that seal has it.
    """
    n, f = len(spec["members"]), spec["faults"]
    result = {"outcome": "abort", "delivered": 0, "support": 0, "runnerUp": 0, "core": []}
    if n < 3 * f + 1:
        return {**result, "reason": "BFT_INFEASIBLE"}
    said = {}  # agent -> what it said that is well-formed
    for agent, verdict, text, meaning in proposals:
        if agent in spec["members"] and meaning != "malformed":
            said.setdefault(agent, set()).add((verdict, text, meaning))
    counting = {agent: next(iter(what)) for agent, what in sorted(said.items()) if len(what) == 1}
    d = result["delivered"] = len(counting)
    if d < n - f or d == 0:
        return {**result, "reason": "INSUFFICIENT_DELIVERY"}
    groups = {}
    for agent, (verdict, _, _) in counting.items():
        groups.setdefault(verdict, []).append(agent)
    sizes = sorted(map(len, groups.values()), reverse=True) + [0]
    a, b = result["support"], result["runnerUp"] = sizes[:2]
    margin = f + 1 + (n - d)
    reason = ("VERDICT_TIE" if a == b else "NO_VERDICT_QUORUM" if a < 2 * f + 1
              else "WEAK_VERDICT_MARGIN" if a - b < margin else None)
    if reason:
        return {**result, "reason": reason}
    verdict, leaders = max(groups.items(), key=lambda group: len(group[1]))
    encoded = [agent for agent in leaders if counting[agent][2] != "unencoded"]
    vectors = [counting[agent][2] for agent in encoded]
    parted = [(encoded.index(one), encoded.index(other), kind) for one, other, kind in differences_of(differs)
              if kind != "entailed" and one in encoded and other in encoded]
    apart = {pair[:2] for pair in parted}
    need = max(2 * f + 1, a // 2 + 1)
    core = aggregate = None
    claims = []
    sizes = range(min(max(need, a - f), len(encoded)), need - 1, -1)
    for size in sizes:
        best = best_core(vectors, size, spec["cosMin"], apart)
        if best:
            # Vectors that cancel out have no direction: then there is no core, also no smaller one.
            aggregate = direction_of([vectors[i] for i in best[2]])
            if aggregate:
                core = [encoded[i] for i in best[2]]
                result["minCos"] = best[0] if size > 1 else 1.0
            break
    else:
        named, matches = listed_of(listed)
        apart = {pair[:2] for pair in parted if pair[2] != "other_items"}
        for size in sizes if matches else ():
            best = best_claim_core(encoded, vectors, size, spec["cosMin"], apart, named, matches)
            if best:
                aggregate = direction_of([vectors[i] for i in best[3]])
                if aggregate:
                    core = [encoded[i] for i in best[3]]
                    result["minCos"] = best[1] if size > 1 else 1.0
                    claims = [[(agent, number, named[agent, number]) for agent, number in chain]
                              for chain in best[4]]
                    result["claims"] = ";".join(",".join(f"{agent} {number} {digest}" for agent, number, digest in claim)
                                                for claim in claims)
                break
    if core is None and not (spec["fallback"] and a - b >= margin + spec["extraMargin"]):
        return {**result, "reason": "SEMANTIC_DISPERSED"}
    kind, core = ("semantic_commit", core) if core else ("verdict_commit", leaders)
    lines = ["parlance-hcsc-1", f"kind={kind}", f"round={spec['round']}", f"n={n}", f"f={f}",
             f"delivered={d}", f"encoder={spec['encoder']}", f"dim={spec['dim']}",
             f"cosMin={struct.pack('>d', spec['cosMin']).hex()}", f"scale={SCALE}",
             f"extraMargin={spec['extraMargin']}",
             *([f"agreement={spec['agreement']}"] if "agreement" in spec else []),
             f"verdict={verdict}", f"support={a}", f"runnerUp={b}"]
    lines += [f"claim={i + 1}:{agent}:{digest}" for i, claim in enumerate(claims) for agent, _, digest in claim]
    for agent in core if not claims else ():
        _, text, meaning = counting[agent]
        bound = "none" if meaning == "unencoded" else sha256(big_endian(meaning)).hex()
        lines.append(f"member={agent}:{text}:{bound}")
    if aggregate and not claims:
        lines.append(f"aggregate={big_endian(aggregate).hex()}")
    digest = sha256("".join(line + "\n" for line in lines).encode("ascii")).hex()
    return {**result, "outcome": kind, "verdict": verdict, "core": core, "digest": digest}


def proposal_statement(entry, meaning):
    """What a member signs of its proposal."""
    said = {name: entry[name] for name in ("round", "epoch", "agent", "verdict", "textSha256")}
    what = {"fault": entry["fault"]} if "fault" in entry else {"vectorSha256": sha256(big_endian(meaning)).hex()}
    return f"parlance-proposal-1\n{text_of({**said, **what})}\n"


def outcome_note(opened, outcome, at_ms):
    """The text of the note that the control plane signs."""
    head = {name: opened[name] for name in
            ("round", "epoch", "members", "faults", "encoder", "dim", "cosMin")}
    said = {"kind": outcome["outcome"], **{name: outcome[name] for name in (
        "reason", "verdict", "delivered", "support", "runnerUp", "core") if name in outcome}}
    tail = {"subjectSha256": opened.get("subjectSha256"), "digest": outcome.get("digest"),
            "signatures": outcome.get("signatures")}
    tail = {name: value for name, value in tail.items() if value is not None}
    return f"parlance-outcome-1\n{text_of({**head, **said, **tail, 'decidedAtMs': at_ms})}\n"


# ---- pacts: signed notes, documents, scores ----

MOST_SIGNATURES = 100
MOST_NOTE_BYTES = 45000
MOST_NUMBER = 2**53 - 1
MOST_DELAY_MS = 600_000
MOST_SKEW_MS = 20_000
CATEGORIES = ("scope", "action", "output", "success", "failure", "dispute", "audit", "termination")
VIOLABLE = ("scope", "action", "output", "success", "termination")
ENDINGS = {  # what each is worth, and whether one party answers for it
    "work_completed": (1.0, False), "work_failed": (0.8, False), "validity_expired": (0.6, False),
    "party_withdrew": (0.5, True), "timeout": (0.0, True), "violated": (0.0, True),
    "dispute_escalated": (0.0, False),
}


def strict_base64(text):
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("not the one base64 of these bytes")
    return data


def is_key_name(name):
    return (0 < len(name.encode("utf-16-le")) // 2 <= 256 and "+" not in name
            and not any(unicodedata.category(c) in ("Zs", "Zl", "Zp", "Cc") for c in name))


def key_of(vkey):
    """(name, id, public key) of an Ed25519 key in its text form."""
    name, key_id, data = vkey.split("+", 2)
    data = strict_base64(data)
    if (not is_key_name(name) or len(data) != 33 or data[0] != 1
            or sha256(name.encode() + b"\n" + data)[:4].hex() != key_id):
        raise ValueError("not an Ed25519 key with its id")
    return name, bytes.fromhex(key_id), data[1:]


def open_note(data):
    """(text, [(name, id, signature)]) of a signed note."""
    whole = data.decode()
    at = whole.rfind("\n\n")
    if any(c < " " and c != "\n" for c in whole) or at < 0 or whole[-1] != "\n" or at + 2 == len(whole):
        raise ValueError("not a signed note")
    signatures = []
    for line in whole[at + 2:-1].split("\n"):
        dash, name, signature = line.split(" ", 2)
        signature = strict_base64(signature)
        if dash != "\u2014" or not is_key_name(name) or len(signature) < 5:
            raise ValueError("not a signature line")
        signatures.append((name, signature[:4], signature[4:]))
    if len(signatures) > MOST_SIGNATURES:
        raise ValueError("too many signatures")
    return whole[:at + 1], signatures


def signers(text, signatures, keys):
    """The keys that have signed; one that claims to, and has not, spoils the note."""
    by = []
    for name, key_id, signature in signatures:
        for key in keys:
            if key[:2] == (name, key_id):
                if not ed25519_holds(key[2], text.encode(), signature):
                    raise ValueError(f"a signature of {name} does not hold")
                by.append(key)
    return by


def expect(good, what):
    if not good:
        raise ValueError(f"expected {what}")


def is_name(value):
    return type(value) is str and NAME.fullmatch(value) is not None


def is_hex(value):
    return type(value) is str and HEX.fullmatch(value) is not None


def is_count(value, least=0):
    return type(value) is int and least <= value <= MOST_NUMBER


def has_members(value, required, optional=()):
    """Whether it is an object with these members, the first all there."""
    return type(value) is dict and set(required) <= set(value) <= set(required) | set(optional)


def are_predicates(predicates, private):
    """Whether each has a name, once, a category, and a body or, where that is private, its hash."""
    if type(predicates) is not list:
        return False
    for one in predicates:
        is_open = has_members(one, ("id", "category", "body")) and type(one["body"]) is str
        is_hidden = private and has_members(one, ("id", "category", "hash")) and is_hex(one["hash"])
        if not (is_open or is_hidden) or not is_name(one["id"]) or one["category"] not in CATEGORIES:
            return False
    return len({one["id"] for one in predicates}) == len(predicates)


def is_pact(it):
    return (has_members(it, ("history", "negotiation", "pact", "parties", "predicates", "validity"), ("replaces",))
            and is_name(it.get("replaces", "x")) and it.get("replaces") != it["pact"]
            and is_hex(it["history"]) and is_name(it["negotiation"]) and is_name(it["pact"])
            and type(it["parties"]) is type(it["validity"]) is list
            and len(it["parties"]) == len(it["validity"]) == 2
            and all(map(is_name, it["parties"])) and it["parties"][0] != it["parties"][1]
            and all(map(is_count, it["validity"])) and it["validity"][0] < it["validity"][1]
            and are_predicates(it["predicates"], True)
            and [one["id"] for one in it["predicates"]] == sorted(one["id"] for one in it["predicates"])
            and {one["category"] for one in it["predicates"]} == set(CATEGORIES))


def is_case(one, negotiation, initiator, responder, arbiter):
    """Whether a negotiation of two parties can be an arbiter's to decide."""
    return (is_name(negotiation) and "/" not in negotiation and is_name(one["pact"]) and is_count(one["until_ms"])
            and is_name(arbiter) and is_name(initiator) and is_name(responder)
            and len({initiator, responder, arbiter}) == 3)


def settles(it):
    """Whether a template decides the case that it names: as its arbiter's only word on it."""
    one = it["settles"]
    return (has_members(one, ("initiator", "negotiation", "pact", "responder", "until_ms"))
            and is_case(one, one["negotiation"], one["initiator"], one["responder"], it["author"])
            and it["name"] == one["negotiation"] and it["version"] == 1 and "max_counters" not in it)


def is_template(it):
    return (has_members(it, ("author", "name", "predicates", "version"), ("max_counters", "settles"))
            and is_name(it["author"]) and is_name(it["name"]) and "/" not in it["name"]
            and is_count(it["version"], 1) and it["version"] < 2**31
            and is_count(it.get("max_counters", 1), 1) and it.get("max_counters", 1) <= 100
            and are_predicates(it["predicates"], False)
            and ("settles" not in it or settles(it))
            and (0 if "settles" in it else 1) <= len(it["predicates"]) <= 200)


def is_observed(it):
    return (has_members(it, ("final", "messages", "observer", "pact", "party", "predicates", "seq",
                             "violations"))
            and type(it["final"]) is bool and is_count(it["messages"]) and is_count(it["seq"], 1)
            and is_name(it["pact"]) and is_name(it["observer"]) and is_name(it["party"])
            and it["observer"] != it["party"]
            and type(it["predicates"]) is dict and all(map(is_name, it["predicates"]))
            and all(has_members(one, ("held", "unmeasured", "violated"))
                    and all(map(is_count, one.values())) for one in it["predicates"].values())
            and type(it["violations"]) is dict and set(it["violations"]) <= set(VIOLABLE)
            and all(map(is_count, it["violations"].values())))


def is_dissolution(it):
    of_some = {"failure_predicate": ("work_failed", is_name),
               "effective_ms": ("party_withdrew", is_count), "responsible": ("violated", is_name)}
    return (has_members(it, ("from", "pact", "reason", "t"), of_some)
            and is_name(it["from"]) and is_name(it["pact"]) and is_count(it["t"])
            and it["reason"] in ("work_completed", "work_failed", "party_withdrew",
                                 "dispute_escalated", "violated")
            and all(it["reason"] == reason and good(it[name])
                    for name, (reason, good) in of_some.items() if name in it)
            and ("responsible" in it) == (it["reason"] == "violated"))


def is_decision(it):
    return (has_members(it, ("arbiter", "ending", "pact", "t"), ("responsible",))
            and is_name(it["arbiter"]) and is_name(it["pact"]) and is_count(it["t"])
            and it["ending"] in ENDINGS and it["ending"] != "dispute_escalated"
            and is_name(it.get("responsible", "x")) and ("responsible" in it) == ENDINGS[it["ending"]][1])


def is_report(it):
    escalated = it.get("kind") == "escalated"
    handed = ("arbiter", "pact", "predicates", "until_ms") if escalated else ()
    return (has_members(it, ("details", "kind", "negotiation", "party", "reporter", "t") + handed)
            and (escalated or it["kind"] in ("bad_faith", "incompatible")) and is_name(it["negotiation"])
            and (not escalated or is_case(it, it["negotiation"], it["reporter"], it["party"], it["arbiter"])
                 and are_predicates(it["predicates"], False) and len(it["predicates"]) <= 200)
            and is_name(it["party"]) and is_name(it["reporter"]) and it["party"] != it["reporter"]
            and is_count(it["t"]) and type(it["details"]) is list and len(it["details"]) <= 50
            and all(has_members(one, ("key", "ours", "predicate", "theirs"))
                    and all(type(text) is str for text in one.values()) for one in it["details"]))


STATEMENTS = {  # what may be said, and the member that names who says it
    "note": (is_pact, None), "template": (is_template, "author"),
    "observed": (is_observed, "observer"), "dissolution": (is_dissolution, "from"),
    "decision": (is_decision, "arbiter"), "report": (is_report, "reporter"),
}


def document(text, kind):
    """What stands below the line parlance-pact-KIND-1, if it has its one form."""
    line, _, body = text.partition("\n")
    said = json.loads(body)
    canonical = json.dumps(said, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    expect(line == f"parlance-pact-{kind}-1" and body == canonical + "\n", "canonical JSON")
    expect(STATEMENTS[kind][0](said), "possible values")
    return said


def statement(note, kind, signer, keys):
    """What a party says under its signature."""
    text, signatures = open_note(base64.b64decode(note))
    said = document(text, kind)
    expect(said[STATEMENTS[kind][1]] == signer, f"the word of {signer}")
    expect(signers(text, signatures, keys), f"the signature of {signer}")
    return said, sha256(text.encode()).hex()


def notice_ms(predicates):
    """The longest that a termination predicate asks for; None if it can never be given."""
    longest = 0
    for one in predicates:
        for item in one.get("body", "").split(";") if one["category"] == "termination" else ():
            match = re.fullmatch("notice_ms=([0-9]+)", item)
            if match and len(match[1]) > 18:
                return None
            longest = max(longest, int(match[1]) if match else 0)
    return longest


def is_ending(code, responsible, parties):
    return code in ENDINGS and (not ENDINGS[code][1] or responsible in parties)


def score(party, pacts, reported):
    """(scope honesty, reliability, pacts that count, who has reported bad faith) of a party.

    pacts: in the order of their ends. reported: by reporter, how many of these have ended since.
    """
    honest = observed = worth = weights = 0.0
    weight, last = 1.0, pacts[-100:]
    for pact in reversed(last):
        seen = pact.observed.get(pact.other(party))
        if seen:
            bad = sum(float(seen["violations"].get(one, 0)) for one in ("scope", "action"))
            honest += weight * (seen["messages"] - min(float(seen["messages"]), bad))
            observed += weight * seen["messages"]
        reason, responsible = pact.decided or pact.ended
        value, blames = ENDINGS[reason]
        if not blames or responsible == party:
            worth += weight * value
            weights += weight
        weight *= 0.97
    for reporter in sorted(reported) if len(reported) > 1 else ():
        if reported[reporter] < 100:
            weight = 1.0
            for _ in range(reported[reporter]):
                weight *= 0.97
            weights += weight
    return (honest / observed if observed else None, worth / weights if weights else None, len(last),
            sorted(reported))


# ---- boards of coined terms: asp-text-1, board-1, the order of turns ----

MARKS = ("Mn", "Mc", "Me")
MOST_MARKS = 128
OWN_TOKENS = ((0x3040, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
              (0x20000, 0x2FA1F), (0x30000, 0x323AF))
BLOCKED = {"answer", "true", "false", "uncertain", "yes", "no", "option a", "option b", "option c", "option d"}
MOST_BOARDS, MOST_WEIGHT, MOST_TURNS, MOST_TERMS, MOST_LINES = 10_000, 200_000, 10_000, 1_000, 8
STRIDE = 64


def nfkc(text):
    """Normalised; a run of more than 128 marks in pieces of that many."""
    pieces, begin, marks = [], 0, 0
    for i, c in enumerate(text):
        marks = marks + 1 if unicodedata.category(c) in MARKS or c in "\uff9e\uff9f" else 0
        if marks > MOST_MARKS:
            pieces.append(text[begin:i])
            begin, marks = i, 1
    return "".join(unicodedata.normalize("NFKC", piece) for piece in pieces + [text[begin:]])


@functools.lru_cache(maxsize=65536)
def tokens(text):
    found, run, is_word = [], "", False
    for c in nfkc(text) + " ":
        kind = unicodedata.category(c)
        own = any(low <= ord(c) <= high for low, high in OWN_TOKENS)
        if kind == "Cf":
            continue
        if not own and (kind[0] in "LN" or kind in MARKS):
            run += "i" if c == "\u0130" else c.lower()
            is_word = is_word or kind not in MARKS
            continue
        found += [run] if is_word else []
        found += [c] if own else []
        run, is_word = "", False
    return tuple(found)


def key_of_term(term):
    return " ".join(tokens(term))


def refusal(term, definition):
    """Why a definition coins nothing wherever it stands; None if it may coin."""
    if not tokens(term) or not tokens(definition):
        return "syntax"
    if len(tokens(term)) > 4 or len(term) > 48 or len(definition) > 280:
        return "too_long"
    return "blocked" if key_of_term(term) in BLOCKED else None


CoinedTerm = collections.namedtuple(
    "CoinedTerm", "visibility term key definition version contested by turn leaked reuse occurrences"
                  " speakers checkpoints persisted last_use")
State = collections.namedtuple("State", "turns terms checkpoint public_tokens")
Facts = collections.namedtuple("Facts", "speaker channel tokens checkpoint uses directed coined")


class Board:
    """A board; its turns stand in their order, however late they were told."""

    def __init__(self, index, entry):
        self.opened = entry
        self.factions = {group["name"]: set(group["members"]) for group in entry["groups"]}
        self.placed = []  # (after, is a change, number, told, facts), sorted
        self.states = {0: State(0, (), -1, 0)}  # by the number of turns
        self.current = self.states[0]
        self.last, self.last_digest = None, ""  # the turn whose lines may follow
        self.told = self.changes = self.number = 0
        self.turns = {}  # digest -> ({accepted lines}, {refused lines}, {coined terms}, told)
        self.coiners, self.waiting, self.retired, self.promoted = {}, set(), set(), {}
        self.revision = index + 1

    def weight(self):
        return len(self.placed) + len(self.coiners)

    def hears(self, speaker, channel):
        return channel == "public" or speaker in self.factions.get(channel[8:], ())

    def is_open_to(self, speaker, term):
        return term not in self.retired and (term not in self.waiting or self.coiners.get(term) == speaker)

    def is_taken_up(self, term):
        ref = term.visibility, term.key
        return (term.reuse > 0 or term.contested or term.version > 1
                or ref in self.retired or ref in self.promoted)

    # -- turns --

    def insert(self, turn):
        at = bisect_right(self.placed, turn[:4], key=lambda one: one[:4])
        self.forget(at)
        self.placed.insert(at, turn)
        self.last = turn

    def remove(self, turn):
        at = bisect_left(self.placed, turn[:4], key=lambda one: one[:4])
        self.forget(at)
        del self.placed[at]

    def forget(self, at):
        if self.current.turns > at:
            self.states = {turns: state for turns, state in self.states.items() if turns <= at}
            self.current = self.states[max(self.states)]

    def state(self):
        for turn in self.placed[self.current.turns:]:
            self.current, _ = self.apply(self.current, turn[4])
            if self.current.turns % STRIDE == 0:
                self.states[self.current.turns] = self.current
        return self.current

    def apply(self, state, facts):
        """The board behind a turn, and the lines that count."""
        now, speaker, channel = state.turns, facts.speaker, facts.channel
        if not self.hears(speaker, channel):
            return state._replace(turns=now + 1), set()
        public, terms, accepted = channel == "public", list(state.terms), set()

        def place(visibility, key):
            for i, term in enumerate(state.terms):
                if (term.key == key and term.visibility == visibility
                        and (self.hears(speaker, visibility) or public and term.leaked)):
                    return i
            return None

        for visibility, key, times in facts.uses:
            i = place(visibility, key)
            if i is None:
                continue
            term = terms[i]
            leaks = public and visibility != "public" and self.hears(speaker, visibility)
            heard = term.speakers
            if public and speaker not in heard:
                heard += (speaker,)
            terms[i] = term._replace(leaked=term.leaked or leaks, reuse=term.reuse + 1, speakers=heard,
                                     occurrences=term.occurrences + times, last_use=now)
        for line, kind, visibility, key, body in facts.directed:
            i = place(visibility, key)
            if i is not None:
                terms[i] = (terms[i]._replace(contested=True) if kind == "term_challenged" else
                            terms[i]._replace(definition=body, version=terms[i].version + 1, contested=False))
                accepted.add(line)
        taken = {term.key for term in state.terms if self.hears(speaker, term.visibility)}
        for line, term, definition in facts.coined:
            key = key_of_term(term)
            if key not in taken:
                terms.append(CoinedTerm(channel, term, key, definition, 1, False, speaker, now, False, 0, 0,
                                        (speaker,) if public else (), 0, 0, now))
                accepted.add(line)
            taken.add(key)
        if facts.checkpoint:
            terms = [term._replace(checkpoints=term.checkpoints + 1,
                                   persisted=term.persisted + (term.last_use > max(term.turn, state.checkpoint)))
                     if term.visibility == "public" and term.turn < now else term for term in terms]
        return State(now + 1, tuple(terms), now if facts.checkpoint else state.checkpoint,
                     state.public_tokens + facts.tokens * public), accepted

    def change(self, line, facts):
        """Whether the turn that was told last has this line too; then it stands behind all others."""
        before = self.last
        if len(facts.directed) + len(facts.coined) > MOST_LINES:
            return False
        self.remove(before)
        state, accepted = self.apply(self.state(), facts)
        counts = len(state.terms) <= MOST_TERMS and line in accepted
        if counts:
            after = before[0] if before[1] else self.changes
            self.changes += not before[1]
            self.insert((after, True, before[2], before[3], facts))
        else:
            self.insert(before)
        return counts

    # -- what it comes to --

    def status(self, term):
        ref = term.visibility, term.key
        return ("retired" if ref in self.retired else "waiting" if ref in self.waiting else
                "contested" if term.contested else "active")

    def document(self):
        """The text that the control plane signs for it."""
        state, terms = self.state(), []
        for term in state.terms:
            into = self.promoted.get((term.visibility, term.key))
            terms.append({
                "visibility": term.visibility, "term": term.term, "key": term.key,
                "definition": term.definition,
                "version": term.version, "status": self.status(term), "contested": term.contested,
                "by": term.by, "turn": term.turn, "leaked": term.leaked, "reuse": term.reuse,
                "occurrences": term.occurrences, "speakers": len(term.speakers),
                "checkpoints": term.checkpoints, "persisted": term.persisted, "lastUse": term.last_use,
                **({"plan": into["plan"], "domain": into["domain"]} if into else {}),
                "repaired": into is not None and term.version > into["version"]})
        checkpoint = {} if state.checkpoint < 0 else {"lastCheckpoint": state.checkpoint}
        document = {"board": self.opened["board"], "revision": self.revision, "changes": self.changes,
                    "number": self.number, "turns": state.turns, **checkpoint,
                    "publicLogTokens": state.public_tokens, "share": self.opened["share"],
                    "groups": self.opened["groups"], "terms": terms}
        return f"parlance-board-v1\n{text_of(document, True)}\n"

    def compression(self):
        """Tokens of the speakers' last turns behind the last coinage, and of their first ones."""
        turns = [turn[4] for turn in self.placed]
        end = max((i + 1 for i, facts in enumerate(turns) if facts.coined), default=0)
        first, warm = {}, {facts.speaker: facts.tokens for facts in turns[end:]}
        for facts in turns[:end]:
            first.setdefault(facts.speaker, facts.tokens)
        both = first.keys() & warm.keys()
        return sum(warm[one] for one in both), sum(first[one] for one in both)

    def line(self):
        """What is shown of it."""
        state = self.state()
        terms = len(state.terms)
        words = sum(len(tokens(term.term)) + len(tokens(term.definition)) for term in state.terms)
        ratios = {"uptake": (sum(term.reuse for term in state.terms), terms),
                  "cross-speaker share": (sum(len(term.speakers) >= 2 for term in state.terms), terms),
                  "persistence": (sum(term.persisted for term in state.terms),
                                  sum(term.checkpoints for term in state.terms)),
                  "footprint": (words, state.public_tokens), "compression": self.compression()}
        shown = [f"{name} {number_text(part / whole) if whole else 'none'}"
                 for name, (part, whole) in ratios.items()]
        return (f"note: board {self.opened['board']}: {state.turns} turns, {terms} terms, "
                f"reuse {ratios['uptake'][0]}, {', '.join(shown)}, "
                f"document {sha256(self.document().encode()).hex()}")


# ---- what entries come to ----

def utf16(text):
    return text.encode("utf-16-be")


def is_sorted(items):
    return all(utf16(a) < utf16(b) for a, b in zip(items, items[1:]))


def number_text(x):
    """The ledger's form of a number: shortest digits; plain from 0.001 to below 10,000,000."""
    x = float(x)
    sign, digits, exponent = decimal.Decimal(repr(x)).normalize().as_tuple()
    if x == 0 or 1e-3 <= abs(x) < 1e7:
        plain = format(decimal.Decimal(repr(x)), "f")
        return plain if "." in plain else plain + ".0"
    digits = "".join(map(str, digits))
    power = exponent + len(digits) - 1
    return f"{'-' if sign else ''}{digits[0]}.{digits[1:] or '0'}E{power}"


class Number(float):
    """A number whose text in the ledger is kept."""

    def __new__(cls, text):
        self = super().__new__(cls, text)
        self.text = text
        return self


def text_of(value, truth=False):
    """The one form of an entry's text; with "truth" it may have true and false in it."""
    if isinstance(value, dict):
        return "{" + ",".join(f'"{name}":{text_of(member, truth)}' for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(text_of(member, truth) for member in value) + "]"
    if isinstance(value, Number):
        return number_text(value)
    if type(value) is int or truth and type(value) is bool:
        return json.dumps(value)
    return json.dumps("" + value, ensure_ascii=False)


PART = "terms alternatives events"
ABOUT = "audit epoch"
MEMBERS = {  # in order; those with a question mark may be absent
    "plan": f"plan revision agents domain {PART} tau delta rhoMin bound multiplicity eventsPerTerm parts",
    "plan_part": f"plan revision part {PART}",
    "audit_part": "audit part terms",
    "opened": f"{ABOUT} plan revision kind terms drawCommitment parts",
    "taken_over": ABOUT,
    "test": f"{ABOUT} agent event term verdict form answerSha256?",
    "unanswered": f"{ABOUT} agent event term reason",
    "renegotiated": f"{ABOUT} term entrenched other decidedEntrenched decidedOther reply",
    "decided": f"{ABOUT} agents term audited eligible contradictions unanswered upper coverage cusum?"
               " outcome reason?",
    "core_issued": f"{ABOUT} agents domain version ledgerSize certified certifiedSha256 documentSha256",
    "closed": f"{ABOUT} seed failure?",
    "round_opened": "round epoch members faults encoder dim cosMin extraMargin fallback agreement?"
                    " encoderSha256? readerSha256?"
                    " subjectSha256? signatures? deadlineMs",
    "round_proposal": "round epoch agent verdict textSha256 vector? fault? messageSha256 route decision"
                      " signature?",
    "round_sealed": "round epoch cause differs? listed?",
    "round_decided": "round epoch outcome reason? verdict? delivered support runnerUp core minCos?"
                     " claims? digest? signatures? documentSha256",
    "round_signed": "round epoch agent documentSha256 signature",
    "party_key": "party vkey overlapMs",
    "pact_template": "name version author sha256 note",
    "pact_attested": "pact sha256 attester note",
    "pact_observed": "pact observer note",
    "pact_dissolved": "pact by reason responsible? note?",
    "pact_reported": "negotiation reporter note",
    "board_opened": "board groups share",
    "term_used": "board turn speaker channel number after tokens checkpoint uses",
    "term_coined": "board turn speaker channel line term definition",
    "term_challenged": "board turn speaker channel line visibility key reason",
    "term_repaired": "board turn speaker channel line visibility key definition",
    "term_shared": "board visibility key by",
    "term_promoted": "board visibility key plan domain revision version uses speakers by",
    "term_retired": "board visibility key by",
    "turn_retracted": "board turn by",
    "review_decided": "agent item textSha256 route verdict who",
}
BOARD_TYPES = [kind for kind in MEMBERS if kind.startswith(("board_", "term_", "turn_"))]
NAME = re.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}")
ID = re.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}")
BOARD = re.compile("b-[0-9a-f]{32}")
HEX = re.compile("[0-9a-f]{64}")
CODE = re.compile("[a-z][a-z0-9_]{0,63}")
ITEM = re.compile("r-[0-9a-z]{1,40}")
ROUTE = re.compile("[a-z0-9-]{1,40}")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def read_entry(data):
    """The entry, if it has its one form."""
    entry = json.loads(data, parse_float=Number)
    members = ["type"] + MEMBERS[entry["type"]].split() + ["atMs"]
    present = [name.rstrip("?") for name in members if name[-1] != "?" or name[:-1] in entry]
    text = text_of(entry, entry["type"] == "term_used")
    if list(entry) != present or text.encode() != data or len(data) > 65535:
        raise ValueError("not in an entry's one form")
    if entry["type"].startswith("round_") and not is_possible(entry):
        raise ValueError("a value that no round has")
    if entry["type"] in PACT_NAMES and not is_possible_of_pact(entry):
        raise ValueError("a value that no pact has")
    if entry["type"] in BOARD_TYPES and not is_possible_of_board(entry):
        raise ValueError("a value that no board has")
    if entry["type"] == "review_decided" and not is_possible_of_review(entry):
        raise ValueError("a value that no review has")
    return entry


def is_possible_of_review(entry):
    """Whether a decision of persons about a held message has values that one can have."""
    who = entry["who"]
    return (NAME.fullmatch(entry["agent"]) and ITEM.fullmatch(entry["item"]) and HEX.fullmatch(entry["textSha256"])
            and ROUTE.fullmatch(entry["route"]) and entry["verdict"] in ("release", "reject", "send_back")
            and is_whole(entry["atMs"], 0, 63) and 0 < len(who) == len(set(who)) <= 8
            and all(0 < len(utf16(name)) <= 400 and not CONTROL.search(name) for name in who))


def is_possible(entry):
    """Whether an entry of a round has values that a round can have."""
    digests = [value for name, value in entry.items() if name.endswith("Sha256") or name == "digest"]
    if (not NAME.fullmatch(entry["round"]) or len(entry["round"]) > 100 or entry["epoch"] < 1
            or entry["atMs"] < 0 or not all(HEX.fullmatch(digest) for digest in digests)):
        return False
    if entry["type"] == "round_opened":
        members, none = entry["members"], entry["encoder"] == "none"
        return (0 < len(members) == len(set(members)) <= 16
                and all(NAME.fullmatch(name) for name in members + [entry["encoder"]])
                and entry["faults"] >= 0 and entry["extraMargin"] >= 0 and entry["deadlineMs"] >= 0
                and (entry["dim"] == 0 if none else 0 < entry["dim"] <= 8192)
                and type(entry["cosMin"]) is Number and -1 < entry["cosMin"] <= 1
                and entry["fallback"] in ("verdict", "none") and entry.get("agreement", "critical") == "critical"
                and entry.get("signatures", "offered") in ("offered", "required")
                and none != ("encoderSha256" in entry)
                and ("readerSha256" not in entry or "agreement" in entry))
    if entry["type"] == "round_proposal":
        return (all(NAME.fullmatch(entry[name]) for name in ("agent", "verdict", "decision"))
                and CODE.fullmatch(entry["route"]) is not None
                and ("signature" not in entry or is_signature(entry["signature"]))
                and ("vector" in entry) != ("fault" in entry) and meaning_of(entry) is not None)
    if entry["type"] == "round_signed":
        return NAME.fullmatch(entry["agent"]) is not None and is_signature(entry["signature"])
    if entry["type"] == "round_sealed":
        differences_of(entry.get("differs", ""))
        if "listed" in entry and ("differs" not in entry or not listed_of(entry["listed"])[0]):
            return False
        return entry["cause"] in ("complete", "deadline")
    if "claims" in entry and entry["outcome"] != "semantic_commit":
        return False
    return (entry["outcome"] in ("semantic_commit", "verdict_commit", "abort")
            and entry.get("signatures", "members") in ("members", "unsigned"))


def is_signature(text):
    """Whether it is the id of a key and a signature of Ed25519, as lines of signed notes have it."""
    return len(strict_base64(text)) == 68


PACT_NAMES = {  # members that are names
    "party_key": "party", "pact_template": "name author", "pact_attested": "pact attester",
    "pact_observed": "pact observer", "pact_dissolved": "pact by responsible",
    "pact_reported": "negotiation reporter",
}


def is_possible_of_pact(entry):
    """Whether an entry about pacts has values that one can have; not whether its note is good."""
    kind = entry["type"]
    names = [entry[name] for name in PACT_NAMES[kind].split() if name in entry]
    if (not all(map(is_name, names)) or type(entry["atMs"]) is not int
            or not 0 <= entry["atMs"] < 2**63
            or "note" in entry and len(strict_base64(entry["note"])) > MOST_NOTE_BYTES
            or "sha256" in entry and not is_hex(entry["sha256"])):
        return False
    if kind == "party_key":
        return (key_of(entry["vkey"])[0] == entry["party"] and type(entry["overlapMs"]) is int
                and 0 <= entry["overlapMs"] <= 86_400_000)
    if kind == "pact_template":
        return type(entry["version"]) is int and 1 <= entry["version"] < 2**31
    return kind != "pact_dissolved" or CODE.fullmatch(entry["reason"]) is not None


def is_whole(value, least=0, bits=31):
    return type(value) is int and least <= value < 2**bits


def is_channel(value):
    return value == "public" or type(value) is str and value[:8] == "faction:" and is_name(value[8:])


def is_key(value):
    words = value.split(" ")
    return "\n" not in value and len(utf16(value)) <= 2048 and len(words) <= 4 and all(words)


def is_meaning(term, definition):
    return "\n" not in term + definition and refusal(term, definition) is None


IS_POSSIBLE = {  # by member of an entry about boards
    "board": lambda it: BOARD.fullmatch(it), "turn": HEX.fullmatch, "speaker": ID.fullmatch,
    "channel": is_channel, "visibility": is_channel, "key": is_key, "by": ID.fullmatch,
    "plan": ID.fullmatch, "domain": NAME.fullmatch, "share": lambda it: it in ("auto", "reviewed"),
    "number": lambda it: is_whole(it, 0, 63), "after": lambda it: is_whole(it, 0, 63),
    "tokens": is_whole, "line": is_whole, "uses": lambda it: type(it) is int and is_whole(it) or are_uses(it),
    "speakers": is_whole, "version": lambda it: is_whole(it, 1), "atMs": lambda it: is_whole(it, 0, 63),
    "revision": lambda it: is_whole(it, 1, 63), "checkpoint": lambda it: type(it) is bool,
    "groups": lambda it: are_groups(it), "term": lambda it: type(it) is str,
    "definition": lambda it: "\n" not in it and len(it) <= 280 and tokens(it),
    "reason": lambda it: "\n" not in it and 0 < len(it) <= 280,
}


def are_uses(uses):
    return (type(uses) is list and len(uses) <= 128
            and all(list(use) == ["visibility", "key", "times"] and is_channel(use["visibility"])
                    and is_key(use["key"]) and is_whole(use["times"], 1) for use in uses))


def are_groups(groups):
    return (len(groups) <= 16 and all(list(group) == ["name", "members"] for group in groups)
            and sum(len(group["members"]) for group in groups) <= 400
            and all(is_name(group["name"]) and is_sorted(group["members"])
                    and all(map(ID.fullmatch, group["members"])) for group in groups)
            and is_sorted([group["name"] for group in groups]))


def is_possible_of_board(entry):
    """Whether an entry about boards has values that one can have."""
    return (all(IS_POSSIBLE[name](value) for name, value in entry.items() if name != "type")
            and (entry["type"] != "term_used" or type(entry["uses"]) is list)
            and (entry["type"] != "term_promoted" or type(entry["uses"]) is int)
            and (entry["type"] != "term_coined" or is_meaning(entry["term"], entry["definition"])))


def meaning_of(entry):
    """The vector, "malformed", "unencoded"; None if it is neither."""
    if "fault" in entry:
        return entry["fault"] if entry["fault"] in ("malformed", "unencoded") else None
    data = base64.b64decode(entry["vector"], validate=True)
    if base64.b64encode(data).decode() != entry["vector"] or len(data) % 2 or len(data) > 16384:
        return None
    vector = struct.unpack(f">{len(data) // 2}h", data)
    return vector if any(vector) and -32768 not in vector else None


class Watch:
    def __init__(self, constants):
        self.constants = constants
        self.certified = False
        self.n = self.k = self.c = 0
        self.cusum = self.peak = 0.0

    def compare(self, a, b, tau):
        self.n, self.k, self.c = counted(self.n, self.k, self.c, a, b)
        if self.certified and a != "neutral" and b != "neutral":
            p1 = min(0.5, 2.4 * tau) if tau < 0.5 else (1 + tau) / 2
            step = math.log(p1 / tau) if a != b else math.log((1 - p1) / (1 - tau))
            self.cusum = max(0.0, self.cusum + step)
            self.peak = max(self.peak, self.cusum)

    def copy(self):
        other = Watch(self.constants)
        other.__dict__.update(self.__dict__)
        return other


def counted(n, k, c, a, b):
    both = a != "neutral" and b != "neutral"
    return n + (a != "neutral" or b != "neutral"), k + both, c + (both and a != b)


class Plan:
    def __init__(self, entry, terms, alternatives, events):
        self.entry = entry
        self.agents, self.domain = entry["agents"], entry["domain"]
        self.core = (tuple(self.agents), self.domain)
        self.terms, self.alternatives = terms, alternatives
        self.events = {event["pei"] for event in events}
        self.content = (self.core, terms, alternatives, events, entry["multiplicity"],
                        entry["eventsPerTerm"], [entry[x] for x in ("tau", "delta", "rhoMin", "bound")])
        self.pairs = [(a, b) for i, a in enumerate(self.agents) for b in self.agents[i + 1:]]
        self.constants = tuple(entry[x] for x in ("tau", "delta", "rhoMin", "bound"))
        family = entry["multiplicity"] == "family"
        self.delta = float(entry["delta"]) / (len(terms) if family else 1)
        known = set(terms)
        self.possible = (
            0 < len(terms) <= 200000 and 0 < len(events) <= 1000000 and is_sorted(terms)
            and is_sorted([event["pei"] for event in events])
            and all(t in known and a in known and t != a for t, a in alternatives.items()))


class Audit:
    def __init__(self, index, entry, plan, terms):
        self.index, self.entry, self.plan, self.terms = index, entry, plan, terms
        self.term_set = set(terms)
        self.epoch = entry["epoch"]
        self.closed = False
        self.answers = {}  # (term, event) -> {agent: (index, verdict or None)}
        self.touched = set()  # terms that anybody was asked about
        self.offers = {}  # term -> {pair: entry}
        self.decided = {}  # (term, pair) -> (index, entry)
        self.issued = None

    def tests(self, term):
        offers = self.offers.get(term, {}).values()
        return self.entry["kind"] != "renegotiate" or any(o["reply"] == "adopt" for o in offers)


class Round:
    def __init__(self, entry):
        self.opened = entry
        self.spec = {**entry, "round": f"{entry['round']}:{entry['epoch']}",
                     "cosMin": float(entry["cosMin"]), "fallback": entry["fallback"] == "verdict"}
        self.proposals = []  # what was taken
        self.sealed = self.ended = False
        self.follows = None  # the outcome, once sealed
        self.keys = {}  # member -> its keys when the round was opened
        self.unsigned = set()  # members that have proposed something without signature
        self.document = None  # the text of the outcome, once decided
        self.signed = []  # members that have signed it

    def quorum(self):
        return 2 * self.opened["faults"] + 1

    def is_members_word(self):
        return self.ended and self.follows.get("signatures") == "members"

    def is_final(self):
        return not self.is_members_word() or len(self.signed) >= self.quorum()

    def holds(self, agent, signature, text):
        """Whether a key that the member had when the round was opened has signed the text."""
        data = strict_base64(signature)
        return any(key[1] == data[:4] and ed25519_holds(key[2], text.encode(), data[4:])
                   for key in self.keys.get(agent, []))

    def contradicted(self):
        """Members that have signed two different proposals."""
        agents = [agent for agent, _, _, _ in self.proposals if agent not in self.unsigned]
        return sorted({agent for agent in agents if agents.count(agent) > 1})

    def members_missing(self):
        return set(self.opened["members"]) - {agent for agent, _, _, _ in self.proposals}


class Pact:
    def __init__(self, entry, said):
        self.sha256 = entry["sha256"]
        self.parties, self.predicates = said["parties"], said["predicates"]
        self.end_ms = said["validity"][1]
        self.observed = {}  # observer -> the newest counts
        self.completing = set()  # who has said that the work is done
        self.ended = self.decided = None  # (reason, responsible)

    def other(self, party):
        return self.parties[self.parties[0] == party]

    def arbiters(self):
        return {item[len("arbiter="):] for one in self.predicates if one["category"] == "dispute"
                for item in one.get("body", "").split(";") if item.startswith("arbiter=")}

    def silent(self):
        return [one for one in self.parties if not self.observed.get(one, {"final": False})["final"]]

    def vanished(self, by_ms):
        """The one party that has not given its last counts, though the other has, and it could."""
        silent = self.silent()
        return silent[0] if len(silent) == 1 and by_ms >= self.end_ms else None

    def is_disputed(self):
        return self.ended is not None and self.ended[0] == "dispute_escalated" and not self.decided

    def is_open(self):
        return self.ended is None or self.is_disputed()


class Ledger:
    def __init__(self, members=()):
        self.members = {}  # member -> keys that the reader has from it
        for key in members:
            self.members.setdefault(key[0], []).append(key)
        self.problems, self.problem_count = [], 0
        self.counts = dict.fromkeys(
            ("entries", "verdicts", "unanswered", "audits", "failed", "decisions", "cores", "fenced",
             "repeated", "rounds", "proposals", "semantic commits", "verdict commits", "aborts",
             "overtaken", "boards", "turns", "coined terms", "challenges", "repairs", "refused",
             "pact entries", "pacts", "outcomes signed by members", "reviews"), 0)
        self.plans, self.audits, self.parts, self.rounds = {}, {}, {}, {}
        self.used = {}  # (plan, term) -> events
        self.verdicts = {}  # (domain, agent, term) -> count
        self.outcomes, self.watches, self.versions = {}, {}, {}
        self.keys = {}  # party -> [(key, overlapMs, atMs)], oldest first
        self.templates = {}  # (author, name, version) -> sha256
        self.pacts, self.endings, self.reports, self.cases = {}, [], set(), {}
        self.bad_faith = {}  # party -> reporter -> how many pacts had ended before the last report
        self.time_ms, self.time_index = -1, 0  # the last end of a pact by its time
        self.reviews = {}  # agent -> item -> entry, the last 1,024 of each
        self.boards, self.weight = collections.OrderedDict(), 0  # the last changed behind all others
        self.repaired = {}  # core -> terms with another meaning than the one that was audited

    def problem(self, index, text):
        self.problem_count += 1
        if len(self.problems) < SHOWN:
            self.problems.append(f"entry {index}: {text}")

    def take(self, index, entry):
        self.counts["entries"] += 1
        if entry["type"] in PACT_NAMES:
            self.time(entry["atMs"], MOST_SKEW_MS)
        wrong = getattr(self, "on_" + entry["type"])(index, entry)
        if wrong in ("fenced", "repeated", "overtaken", "refused"):
            self.counts[wrong] += 1
        elif wrong:
            self.problem(index, f"{entry['type']}: {wrong}")
        elif entry["type"] in PACT_NAMES:
            self.counts["pact entries"] += 1
            if entry.get("by") == "control" and entry["atMs"] > self.time_ms:
                self.time_ms, self.time_index = entry["atMs"], index

    def time(self, later_ms, skew_ms):
        """Whoever ends a pact for its time has waited for it."""
        if self.time_ms - skew_ms > later_ms:
            self.problem(self.time_index, f"pact_dissolved: time_in_future: {self.time_ms}, later than {later_ms}")
            self.time_ms = -1

    # -- plans --

    def on_part(self, key, entry):
        before = [] if entry["part"] == 0 else self.parts.pop(key, [])
        if len(before) != entry["part"]:
            return "a part that does not follow"
        self.parts[key] = before + [entry]
        return None

    def on_plan_part(self, index, entry):
        return self.on_part(("plan", entry["plan"], entry["revision"]), entry)

    def on_audit_part(self, index, entry):
        return self.on_part(("audit", entry["audit"]), entry)

    def whole(self, key, entry):
        parts = self.parts.pop(key, []) if entry["parts"] else self.parts.pop(key, []) and []
        return parts + [entry] if len(parts) == entry["parts"] else None

    def on_plan(self, index, entry):
        parts = self.whole(("plan", entry["plan"], entry["revision"]), entry)
        if parts is None:
            return "parts are missing"
        alternatives = {}
        for part in parts:
            alternatives.update(part["alternatives"])
        plan = Plan(entry, sum((p["terms"] for p in parts), []), alternatives,
                    sum((p["events"] for p in parts), []))
        if not plan.possible:
            return "not a plan"
        last = self.plans.get(entry["plan"])
        if last and last.entry["revision"] >= entry["revision"]:
            same = last.entry["revision"] == entry["revision"] and last.content == plan.content
            return "repeated" if same else "not newer than the last revision"
        self.plans[entry["plan"]] = plan
        return None

    # -- audits --

    def on_opened(self, index, entry):
        parts = self.whole(("audit", entry["audit"]), entry)
        known = self.audits.get(entry["audit"])
        if known:
            same = known.entry["drawCommitment"] == entry["drawCommitment"]
            return "repeated" if same else "the id is taken"
        plan = self.plans.get(entry["plan"])
        if parts is None or plan is None or plan.entry["revision"] != entry["revision"]:
            return "parts are missing, or not the newest revision of a plan"
        terms = sum((part["terms"] for part in parts), [])
        if not is_sorted(terms) or (entry["parts"] and not terms) or not set(terms) <= set(plan.terms):
            return "terms that are not the plan's"
        for other in self.audits.values():
            same = other.entry["plan"] == entry["plan"] or other.plan.core == plan.core
            if same and not other.closed:
                return f"while {other.entry['audit']} is under way"
        for term in self.repaired.pop(plan.core, ()):
            for pair in plan.pairs:
                self.outcomes.pop((plan.core, (term, pair)), None)
                self.watches.pop((plan.core, term, pair), None)
        self.audits[entry["audit"]] = Audit(index, entry, plan, terms or plan.terms)
        return None

    def audit_of(self, entry):
        audit = self.audits.get(entry["audit"])
        if audit is None:
            return None, "no such audit"
        if entry["epoch"] < audit.epoch:
            return None, "fenced"
        if audit.closed:
            return None, "the audit is closed"
        if entry["epoch"] > audit.epoch:
            return None, "nobody has taken the audit over with this epoch"
        return audit, None

    def on_taken_over(self, index, entry):
        audit = self.audits.get(entry["audit"])
        if audit is None:
            return "no such audit"
        if audit.closed or entry["epoch"] <= audit.epoch:
            return "fenced"
        audit.epoch = entry["epoch"]
        return None

    def on_test(self, index, entry):
        return self.on_answer(index, entry, entry["verdict"])

    def on_unanswered(self, index, entry):
        return self.on_answer(index, entry, None)

    def on_answer(self, index, entry, verdict):
        audit, wrong = self.audit_of(entry)
        if wrong:
            return wrong
        term, event, agent = entry["term"], entry["event"], entry["agent"]
        if agent not in audit.plan.agents or term not in audit.term_set or event not in audit.plan.events:
            return "an agent, term or event of another audit"
        if not audit.tests(term):
            return "a term that was not adopted"
        row = audit.answers.get((term, event), {})
        if agent in row:
            return "repeated"
        if audit.decided or audit.issued:
            return "after the decision"
        audit.answers[term, event] = row
        audit.touched.add(term)
        row[agent] = (index, verdict)
        self.counts["unanswered" if verdict is None else "verdicts"] += 1
        return None

    def on_renegotiated(self, index, entry):
        audit, wrong = self.audit_of(entry)
        if wrong:
            return wrong
        term, first, other = entry["term"], entry["entrenched"], entry["other"]
        pair = tuple(sorted((first, other)))
        if audit.entry["kind"] != "renegotiate" or pair not in audit.plan.pairs or term not in audit.term_set:
            return "no renegotiation of that pair and term"
        offers = audit.offers.setdefault(term, {})
        if pair in offers:
            return "repeated"
        if term in audit.touched or audit.decided or audit.issued:
            return "after the term's first test"
        offers[pair] = entry
        mine = self.verdicts.get((audit.plan.domain, first, term), 0)
        theirs = self.verdicts.get((audit.plan.domain, other, term), 0)
        if (mine, theirs) != (entry["decidedEntrenched"], entry["decidedOther"]):
            return f"decided verdicts are {mine} and {theirs}"
        if mine < theirs or (mine == theirs and first > other):
            return "the other agent is entrenched"
        return None

    def on_decided(self, index, entry):
        audit, wrong = self.audit_of(entry)
        if wrong:
            return wrong
        pair = tuple(entry["agents"])
        if pair not in audit.plan.pairs or entry["term"] not in audit.term_set:
            return "a pair or term of another audit"
        earlier = audit.decided.get((entry["term"], pair))
        if earlier:
            same = {**earlier[1], "atMs": 0, "epoch": 0} == {**entry, "atMs": 0, "epoch": 0}
            return "repeated" if same else "decided otherwise before"
        if audit.issued:
            return "after the core"
        audit.decided[entry["term"], pair] = (index, entry)
        return None

    def on_core_issued(self, index, entry):
        audit, wrong = self.audit_of(entry)
        if wrong:
            return wrong
        if audit.issued:
            same = audit.issued[1]["documentSha256"] == entry["documentSha256"]
            return "repeated" if same else "issued otherwise before"
        core = (tuple(entry["agents"]), entry["domain"])
        if core != audit.plan.core:
            return "a core of others"
        expected = self.versions.get(core, 0) + 1
        self.versions[core] = max(expected - 1, entry["version"])
        audit.issued = (index, entry)
        return None if entry["version"] == expected else f"version should be {expected}"

    def on_closed(self, index, entry):
        audit, wrong = self.audit_of(entry)
        if wrong:
            return wrong
        audit.closed = True
        self.counts["audits"] += 1
        self.counts["failed"] += "failure" in entry
        self.settle(index, entry, audit)
        for term, event in audit.answers:
            self.used.setdefault((audit.entry["plan"], term), set()).add(event)
        audit.answers, audit.decided = {}, {}
        return None

    # -- rounds --

    def on_round_opened(self, index, entry):
        name, epoch = entry["round"], entry["epoch"]
        known = self.rounds.get((name, epoch))
        if known:
            times = {"deadlineMs": 0, "atMs": 0}
            return "repeated" if {**known.opened, **times} == {**entry, **times} else "overtaken"
        before = self.rounds.get((name, epoch - 1))
        if epoch > 1 and not (before and before.ended and before.follows["outcome"] == "abort"):
            return "the epoch before has not ended in an abort"
        round_ = self.rounds[name, epoch] = Round(entry)
        if "signatures" in entry:
            round_.keys = {member: self.members.get(member, []) if self.members
                           else self.keys_of(member, entry["atMs"]) for member in entry["members"]}
        self.counts["rounds"] += 1
        return None

    def on_round_proposal(self, index, entry):
        round_ = self.rounds.get((entry["round"], entry["epoch"]))
        if round_ is None:
            return "no such round"
        if round_.sealed:
            return "overtaken"
        agent, meaning, dim = entry["agent"], meaning_of(entry), round_.opened["dim"]
        if meaning != "unencoded" and (dim == 0 or meaning != "malformed" and len(meaning) != dim):
            return "a meaning that the round's encoder does not give"
        if "signature" in entry:
            if not round_.holds(agent, entry["signature"], proposal_statement(entry, meaning)):
                return "not signed by its agent"
        elif round_.opened.get("signatures") == "required":
            return "not signed"
        if agent not in round_.opened["members"]:
            return "of an agent that is no member"
        earlier = [one for one in round_.proposals if one[0] == agent]
        said = (agent, entry["verdict"], entry["textSha256"], meaning)
        if any(one[:3] == said[:3] for one in earlier):
            return "repeated"
        if len(earlier) > 1:
            return "overtaken"
        round_.proposals.append(said)
        if "signature" not in entry:
            round_.unsigned.add(agent)
        self.counts["proposals"] += 1
        return None

    def on_round_sealed(self, index, entry):
        round_ = self.rounds.get((entry["round"], entry["epoch"]))
        if round_ is None:
            return "no such round"
        if round_.sealed:
            return "repeated"
        if entry["cause"] == "complete" and round_.members_missing():
            return "a member has not proposed"
        if ("differs" in entry) != ("agreement" in round_.opened):
            return "compares texts where vectors decide, or the other way round"
        round_.sealed = True
        round_.follows = hcsc(round_.spec, round_.proposals, entry.get("differs", ""), entry.get("listed", ""))
        if "signatures" in round_.opened:
            signers_ = {one[0] for one in round_.proposals} - round_.unsigned
            round_.follows["signatures"] = "members" if len(signers_) >= round_.quorum() else "unsigned"
        if not round_.proposals:
            self.end(round_)
        return None

    def on_round_decided(self, index, entry):
        round_ = self.rounds.get((entry["round"], entry["epoch"]))
        if round_ is None:
            return "no such round"
        if not round_.sealed or not round_.proposals:
            return "of a round that is not sealed, or has expired"
        note = outcome_note(round_.opened, round_.follows, entry["atMs"])
        follows = {**round_.follows, "documentSha256": sha256(note.encode()).hex()}
        said = {name: value for name, value in entry.items()
                if name not in ("type", "round", "epoch", "atMs")}
        again = round_.ended
        if not again:
            round_.document, round_.decided_at = note, index
            self.end(round_)
        if said != follows:
            return f"decision says {said}, follows {follows}"
        return "repeated" if again else None

    def on_round_signed(self, index, entry):
        round_ = self.rounds.get((entry["round"], entry["epoch"]))
        if round_ is None:
            return "no such round"
        if not round_.document or not round_.is_members_word():
            return "of a round that has no outcome, or none that its members answer for"
        if entry["agent"] not in round_.opened["members"]:
            return "of an agent that is no member"
        if (entry["documentSha256"] != sha256(round_.document.encode()).hex()
                or not round_.holds(entry["agent"], entry["signature"], round_.document)):
            return "not signed by its agent"
        if entry["agent"] in round_.signed:
            return "repeated"
        round_.signed.append(entry["agent"])
        if len(round_.signed) == round_.quorum():
            self.counts["outcomes signed by members"] += 1
        return None

    def end(self, round_):
        round_.ended = True
        self.counts[round_.follows["outcome"].replace("_", " ") + "s"] += 1

    # -- pacts --

    def keys_of(self, party, at_ms):
        """The newest key, and the one before it while that overlaps."""
        history = self.keys.get(party, [])
        counting = [key for key, _, _ in history[-1:]]
        if len(history) > 1 and at_ms <= history[-1][1] + history[-1][2]:
            counting.append(history[-2][0])
        return counting

    def said(self, entry, kind, signer):
        return statement(entry["note"], kind, signer, self.keys_of(signer, entry["atMs"]))

    def on_party_key(self, index, entry):
        history = self.keys.setdefault(entry["party"], [])
        key = key_of(entry["vkey"])
        if history and history[-1][0] == key:
            return "repeated"
        if any(old == key for old, _, _ in history):
            return "a key that another one has followed"
        history.append((key, entry["overlapMs"], entry["atMs"]))
        return None

    def on_pact_template(self, index, entry):
        reference = entry["author"], entry["name"], entry["version"]
        known = self.templates.get(reference)
        if known:
            return "repeated" if known == entry["sha256"] else "published otherwise before"
        try:
            said, digest = self.said(entry, "template", entry["author"])
        except (ValueError, RecursionError) as problem:
            return f"not signed: {problem}"
        if (said["author"], said["name"], said["version"]) != reference or digest != entry["sha256"]:
            return "not signed: another template"
        if "settles" in said:
            wrong = self.unsettled(said, entry["atMs"])
            if wrong:
                return wrong
        self.templates[reference] = digest
        return None

    def unsettled(self, said, at):
        """Why a case is not decided by this: it was handed to nobody, or to another one."""
        case = said["settles"]
        handed = self.cases.get((case["initiator"], case["negotiation"]))
        if handed is None:
            return "case_unknown: the initiator has handed it to nobody"
        if handed["arbiter"] != said["author"]:
            return f"not_the_arbiter: it was handed to {handed['arbiter']}"
        if (handed["party"], handed["pact"], handed["until_ms"]) != (
                case["responder"], case["pact"], case["until_ms"]):
            return "case_unknown: another case was handed over"
        return "case_over: the time to decide was over" if at >= case["until_ms"] else None

    def on_pact_attested(self, index, entry):
        known = self.pacts.get(entry["pact"])
        if known:
            return "repeated" if known.sha256 == entry["sha256"] else "attested otherwise before"
        try:
            text, signatures = open_note(base64.b64decode(entry["note"]))
            said = document(text, "note")
            by = signers(text, signatures, [
                key for party in said["parties"] for key in self.keys_of(party, entry["atMs"])])
            sides = [{key for name, _, key in by if name == party} for party in said["parties"]]
            expect(all(sides) and not sides[0] & sides[1], "both parties, each with a key of its own")
            expect(sha256(text.encode()).hex() == entry["sha256"] and said["pact"] == entry["pact"],
                   "what the entry says")
        except (ValueError, RecursionError) as problem:
            return f"not signed: {problem}"
        if entry["attester"] not in said["parties"]:
            return "brought by no party"
        if said["validity"][1] <= entry["atMs"]:
            return "its time was over"
        if "replaces" in said:
            old = self.pacts.get(said["replaces"])
            if old is None or set(old.parties) != set(said["parties"]):
                return "replaces_none: the two parties have no such pact"
        self.pacts[entry["pact"]] = Pact(entry, said)
        self.counts["pacts"] += 1
        return None

    def on_pact_observed(self, index, entry):
        pact, observer = self.pacts.get(entry["pact"]), entry["observer"]
        if pact is None:
            return "no such pact"
        if observer not in pact.parties:
            return "of an observer that is no party"
        try:
            now, _ = self.said(entry, "observed", observer)
            expect(now["pact"] == entry["pact"], "counts of this pact")
        except (ValueError, RecursionError) as problem:
            return f"not signed: {problem}"
        if now["party"] != pact.other(observer):
            return "about somebody who is not the other party"
        before = pact.observed.get(observer)
        if now == before:
            return "repeated"
        if sum(now["violations"].values()) > now["messages"]:
            return "fenced"
        if before and (before["final"] or now["seq"] <= before["seq"]
                       or now["messages"] < before["messages"]
                       or any(now["violations"].get(category, 0) < count
                              for category, count in before["violations"].items())):
            return "fenced"
        pact.observed[observer] = now
        return None

    def on_pact_dissolved(self, index, entry):
        pact = self.pacts.get(entry["pact"])
        if pact is None:
            return "no such pact"
        if not pact.is_open():
            return "fenced"
        reason, responsible, by = entry["reason"], entry.get("responsible"), entry["by"]
        decides = by.startswith("arbiter:")
        if pact.is_disputed() and not decides and ("note" in entry or pact.arbiters()):
            return "fenced"
        wrong = (self.by_arbiter(pact, entry) if decides
                 else self.by_party(pact, entry) if "note" in entry else self.by_time(pact, entry))
        if pact.is_disputed():
            pact.decided = None if wrong else (reason, responsible)
            return wrong
        if wrong != "not yet":
            return wrong or self.end_pact(pact, reason, responsible)
        return None

    def end_pact(self, pact, reason, responsible):
        pact.ended = reason, responsible
        self.endings.append(pact)

    def by_arbiter(self, pact, entry):
        arbiter, reason, responsible = entry["by"][len("arbiter:"):], entry["reason"], entry.get("responsible")
        if not pact.is_disputed():
            return "not_disputed: decides a pact that is not disputed"
        if arbiter not in pact.arbiters():
            return f"not_the_arbiter: the pact names {sorted(pact.arbiters())}"
        try:
            expect("note" in entry, "the arbiter's word")
            said, _ = self.said(entry, "decision", arbiter)
            expect((said["pact"], said["ending"], said.get("responsible")) == (entry["pact"], reason, responsible),
                   "what the entry says")
        except (ValueError, RecursionError) as problem:
            return f"not_signed: {problem}"
        if not is_ending(reason, responsible, pact.parties):
            return "wrong_reason: no ending, or without the party that answers for it"
        return None

    def by_time(self, pact, entry):
        reason, responsible = entry["reason"], entry.get("responsible")
        if (entry["by"] != "control" or reason not in ("timeout", "validity_expired")
                or reason == "timeout" and responsible is None):
            return "wrong_reason: no end that the control plane can give"
        if entry["atMs"] < pact.end_ms:
            return "not_over: its time is not over"
        if responsible and (reason, responsible) != ("timeout", pact.vanished(entry["atMs"] - MOST_SKEW_MS)):
            if reason == "timeout" and not pact.silent():
                return "fenced"  # the other's last counts may have come while this was written
            return "not_shown: the last counts do not show that this party has vanished"
        return None

    def by_party(self, pact, entry):
        by, reason, at_ms = entry["by"], entry["reason"], entry["atMs"]
        if by not in pact.parties:
            return "the word of no party"
        try:
            said, _ = self.said(entry, "dissolution", by)
            expect(said["pact"] == entry["pact"] and said["reason"] == reason, "what the entry says")
        except (ValueError, RecursionError) as problem:
            return f"not signed: {problem}"
        if at_ms >= pact.end_ms:
            return "its time was over"
        answers = {"party_withdrew": by, "violated": pact.other(by)}.get(reason)
        if reason == "violated":
            if said["responsible"] != answers or entry.get("responsible") != answers:
                return "without the other party as the one that answers for it"
            seen = pact.observed.get(by, {"violations": {}})["violations"]
            counted = seen.get("scope", 0) + seen.get("termination", 0)
            return None if counted else "a violation that it has not counted"
        if reason == "work_completed" and by in pact.completing:
            return "repeated"
        if reason == "work_failed" and not any(
                one["category"] == "failure" and one["id"] == said.get("failure_predicate")
                for one in pact.predicates):
            return "a failure that the pact does not provide for"
        if reason == "party_withdrew":
            # From the party's own word on, unless that was long before the entry, or after it.
            spoken = said["t"] if 0 <= at_ms - said["t"] <= MOST_DELAY_MS else at_ms
            notice = notice_ms(pact.predicates)
            if notice is None or said.get("effective_ms", spoken) < spoken + notice:
                return "a withdrawal without its notice"
        if entry.get("responsible") != answers:
            return "another party answers for it"
        if reason == "work_completed":
            pact.completing.add(by)
            return "not yet" if len(pact.completing) < 2 else None
        return None

    def on_pact_reported(self, index, entry):
        reporter, negotiation = entry["reporter"], entry["negotiation"]
        try:
            said, _ = self.said(entry, "report", reporter)
            expect(said["negotiation"] == negotiation, "a report of this negotiation")
            if said["kind"] == "escalated":  # nobody is before an arbiter who has not said so, too
                text, signatures = open_note(base64.b64decode(entry["note"]))
                keys = self.keys_of(said["party"], entry["atMs"])
                expect(signers(text, signatures, keys), f"the signature of {said['party']}, too")
        except (ValueError, RecursionError) as problem:
            return f"not_signed: {problem}"
        if (reporter, negotiation) in self.reports:
            return "repeated"
        self.reports.add((reporter, negotiation))
        if said["kind"] == "escalated":
            self.cases[reporter, negotiation] = said
        if said["kind"] == "bad_faith":
            self.bad_faith.setdefault(said["party"], {})[reporter] = len(self.endings)
        return None

    # -- reviews --

    def on_review_decided(self, index, entry):
        items = self.reviews.setdefault(entry["agent"], {})
        if entry["item"] in items:
            return "repeated"
        items[entry["item"]] = entry
        if len(items) > 1024:
            del items[next(iter(items))]
        self.counts["reviews"] += 1
        return None

    # -- boards --

    def on_board_opened(self, index, entry):
        known = self.boards.get(entry["board"])
        if known:
            return "repeated" if {**known.opened, "atMs": entry["atMs"]} == entry else "refused"
        self.keep(Board(index, entry), 0)
        self.counts["boards"] += 1
        return None

    def keep(self, board, heavier):
        """It has changed last; those that changed longest ago make room."""
        self.boards[board.opened["board"]] = board
        self.boards.move_to_end(board.opened["board"])
        self.weight += heavier
        while len(self.boards) > 1 and (len(self.boards) > MOST_BOARDS or self.weight > MOST_WEIGHT):
            self.weight -= self.boards.popitem(last=False)[1].weight()

    def of_board(self, entry, what, count=None):
        board = self.boards.get(entry["board"])
        if board is None:
            return "refused"
        before = board.weight()
        wrong = what(board)
        if wrong is None:
            board.revision += 1
            self.keep(board, board.weight() - before)
            if count:
                self.counts[count] += 1
        return wrong

    def on_term_used(self, index, entry):
        def used(board):
            board.last_digest = ""
            if entry["turn"] in board.turns:
                return "repeated"
            if len(board.placed) == MOST_TURNS:
                return "refused"
            uses = [(use["visibility"], use["key"], use["times"]) for use in entry["uses"]
                    if board.is_open_to(entry["speaker"], (use["visibility"], use["key"]))]
            board.number = max(board.number, entry["number"])
            facts = Facts(entry["speaker"], entry["channel"], entry["tokens"], entry["checkpoint"], uses, [], [])
            board.insert((min(entry["after"], board.changes), False, entry["number"], board.told, facts))
            board.turns[entry["turn"]] = set(), set(), set(), board.told
            board.told += 1
            board.last_digest = entry["turn"]
            return None
        return self.of_board(entry, used, "turns")

    def on_change(self, entry, count, changed):
        def change(board):
            if entry["turn"] != board.last_digest:
                return "repeated" if entry["turn"] in board.turns else "refused"
            accepted, refused, _, _ = board.turns[entry["turn"]]
            if entry["line"] in accepted | refused:
                return "repeated"
            facts = changed(board, board.last[4])
            if facts and board.change(entry["line"], facts):
                accepted.add(entry["line"])
                return None
            if len(refused) < MOST_LINES:
                refused.add(entry["line"])
            return "refused"
        return self.of_board(entry, change, count)

    def on_term_coined(self, index, entry):
        wrong = self.on_change(entry, "coined terms", lambda board, facts: facts._replace(
            coined=facts.coined + [(entry["line"], entry["term"], entry["definition"])]))
        if wrong is None:
            board, term = self.boards[entry["board"]], (entry["channel"], key_of_term(entry["term"]))
            board.coiners[term] = entry["speaker"]
            board.turns[entry["turn"]][2].add(term)
            self.weight += 1
            self.keep(board, 0)
            if board.opened["share"] == "reviewed":
                board.waiting.add(term)
        return wrong

    def on_term_challenged(self, index, entry):
        return self.on_directed(entry, "challenges", entry["reason"])

    def on_term_repaired(self, index, entry):
        wrong = self.on_directed(entry, "repairs", entry["definition"])
        into = wrong is None and self.boards[entry["board"]].promoted.get((entry["visibility"], entry["key"]))
        plan = into and self.plans.get(into["plan"])
        if plan:
            self.repaired.setdefault(plan.core, set()).add(entry["key"])
        return wrong

    def on_directed(self, entry, count, body):
        term = entry["visibility"], entry["key"]

        def directed(board, facts):
            line = (entry["line"], entry["type"], *term, body)
            return (facts._replace(directed=facts.directed + [line])
                    if board.is_open_to(entry["speaker"], term) else None)
        return self.on_change(entry, count, directed)

    def on_term(self, entry, what):
        term = entry["visibility"], entry["key"]
        return self.of_board(entry, lambda board: what(board, term) if term in board.coiners else "refused")

    def on_term_shared(self, index, entry):
        def shared(board, term):
            if term in board.retired or term not in board.waiting:
                return "refused" if term in board.retired else "repeated"
            board.waiting.remove(term)
            return None
        return self.on_term(entry, shared)

    def on_term_promoted(self, index, entry):
        def promoted(board, term):
            if term in board.retired or term in board.waiting:
                return "refused"
            stands = next(one for one in board.state().terms if (one.visibility, one.key) == term)
            said = entry["uses"], entry["speakers"], entry["version"]
            follows = stands.reuse, len(stands.speakers), stands.version
            if any(x > y for x, y in zip(said, follows)):
                return f"uses, speakers and version are {said}, at most {follows} follow"
            before = board.promoted.get(term)
            if before and before["plan"] == entry["plan"] and before["version"] >= entry["version"]:
                return "repeated"
            board.promoted[term] = entry
            return None
        return self.on_term(entry, promoted)

    def on_term_retired(self, index, entry):
        def retired(board, term):
            if term in board.retired:
                return "repeated"
            board.retired.add(term)
            return None
        return self.on_term(entry, retired)

    def on_turn_retracted(self, index, entry):
        def retracted(board):
            accepted, _, coined, told = board.turns.get(entry["turn"], ((), (), (), 0))
            if not accepted or any(board.is_taken_up(term) for term in board.state().terms
                                   if (term.visibility, term.key) in coined):
                return "refused"
            board.remove(next(one for one in board.placed if one[3] == told))
            del board.turns[entry["turn"]]
            for term in coined:
                del board.coiners[term]
                board.waiting.discard(term)
            board.last_digest = ""
            return None
        return self.of_board(entry, retracted)

    def scores(self):
        """party -> (scope honesty, reliability, pacts that count, who has reported bad faith)."""
        scores = {}
        for party in sorted({party for pact in self.endings for party in pact.parties} | set(self.bad_faith)):
            its = [at for at, pact in enumerate(self.endings) if party in pact.parties and not pact.is_disputed()]
            scores[party] = score(party, [self.endings[at] for at in its], {
                reporter: sum(at >= after for at in its)
                for reporter, after in self.bad_faith.get(party, {}).items()})
        return scores

    # -- what follows --

    def draw(self, audit, seed):
        drawn, exhausted = {}, False
        count = audit.plan.entry["eventsPerTerm"]
        for term in audit.terms:
            fresh = audit.plan.events - self.used.get((audit.entry["plan"], term), set())
            prefix = seed + b"\0" + term.encode() + b"\0"
            drawn[term] = sorted(fresh, key=lambda pei: sha256(prefix + pei.encode()))[:count]
            exhausted = exhausted or len(fresh) < count
        return drawn, exhausted

    def settle(self, index, entry, audit):
        seed = bytes.fromhex(entry["seed"])
        if sha256(seed).hex() != audit.entry["drawCommitment"]:
            return self.problem(index, "the seed is not the one committed to")
        drawn, exhausted = self.draw(audit, seed)
        for (term, event), row in list(audit.answers.items()):
            if event not in drawn[term]:
                for at, _ in row.values():
                    self.problem(at, f"event {event} was not drawn for {term}")
                del audit.answers[term, event]
        failure = entry.get("failure")
        if exhausted and failure is None or not exhausted and failure == "events_exhausted":
            self.problem(index, f"events exhausted: {exhausted}, failure: {failure}")
        due = {}
        for term in audit.terms:
            for pair in audit.plan.pairs if audit.tests(term) else ():
                decision = self.decide(audit, term, pair, drawn[term], failure is None)
                if failure is None:
                    due[term, pair] = decision
        for what, decision in due.items():
            self.outcomes[audit.plan.core, what] = decision["outcome"]
        for (term, _), row in audit.answers.items():
            for agent, (_, verdict) in row.items():
                if verdict in ("assent", "dissent"):
                    key = audit.plan.domain, agent, term
                    self.verdicts[key] = self.verdicts.get(key, 0) + 1
        self.compare(index, audit, due)

    def decide(self, audit, term, pair, drawn, completed):
        plan = audit.plan
        tau, rho, bound = float(plan.entry["tau"]), float(plan.entry["rhoMin"]), plan.entry["bound"]
        rows = [audit.answers.get((term, event), {}) for event in drawn]
        rows = [(row[pair[0]], row[pair[1]]) for row in rows if pair[0] in row and pair[1] in row]
        rows = [row for row in rows if row[0][1] is not None and row[1][1] is not None]
        rows.sort(key=lambda row: max(row[0][0], row[1][0]))
        unanswered = len(drawn) - len(rows)
        incomplete = unanswered > 0.1 * len(drawn)
        result, key = {"unanswered": unanswered}, (plan.core, term, pair)
        if bound == "anytime":
            watch = self.watches.get(key)
            adopted = any(o["reply"] == "adopt" and o["other"] in pair
                          for o in audit.offers.get(term, {}).values())
            if watch is None or watch.constants != plan.constants or adopted:
                watch = Watch(plan.constants)
            for (_, a), (_, b) in rows:
                watch.compare(a, b, tau)
            self.watches[key] = watch
            n, k, c, was, peak = watch.n, watch.k, watch.c, watch.certified, watch.peak
        else:
            n = k = c = 0
            for (_, a), (_, b) in rows:
                n, k, c = counted(n, k, c, a, b)
            was, peak = False, 0.0
            if completed:
                self.watches.pop(key, None)
        if not completed:
            return None
        upper = UPPER[bound](c, k, plan.delta)
        coverage = k / max(n, 1)
        if was:
            above = peak >= math.log(2000)
        elif bound == "anytime":
            above = k == 0 or log_e(c, k, tau) < -math.log(plan.delta)
        else:
            above = upper > tau
        reason = ("no_data" if k == 0 and not was else "incomplete" if incomplete
                  else ("drift_detected" if was else "bound_above_tau") if above
                  else "coverage_below_floor" if coverage < rho else None)
        result.update(audited=n, eligible=k, contradictions=c, upper=upper, coverage=coverage)
        if reason:
            result["reason"] = reason
        if bound == "anytime":
            if reason and was:
                self.watches[key] = watch = Watch(plan.constants)
            elif not reason:
                watch.certified, watch.peak = True, watch.cusum
            result["cusum"] = watch.cusum
        before = self.outcomes.get((plan.core, (term, pair)))
        result["outcome"] = {
            "certify": ("certified", "revoked" if before in ("certified", "kept", "restored") else "refused"),
            "recertify": ("kept", "revoked"),
            "renegotiate": ("restored", "refused")}[audit.entry["kind"]][reason is not None]
        return result

    def compare(self, index, audit, due):
        last = audit.index
        for what, (at, entry) in audit.decided.items():
            last = max(last, at)
            follows = due.get(what)
            said = {x: y for x, y in entry.items() if x in (follows or {}) or x in ("reason", "cusum")}
            if follows is None:
                self.problem(at, "a decision that is not due")
            elif said.keys() != follows.keys() or any(
                    not near(said[x], y) if isinstance(y, float) else said[x] != y
                    for x, y in follows.items()):
                self.problem(at, f"decision says {said}, follows {follows}")
            else:
                self.counts["decisions"] += 1
        for term, pair in due.keys() - audit.decided.keys():
            self.problem(index, f"no decision of {term} for {'+'.join(pair)}")
        if not audit.issued or not due:
            if bool(audit.issued) != bool(due):
                self.problem(index, f"core issued: {bool(audit.issued)}, decisions due: {len(due)}")
            return
        at, entry = audit.issued
        keys, text = self.core(audit.plan, entry)
        said = tuple(entry[x] for x in ("certified", "certifiedSha256", "documentSha256"))
        follows = (len(keys), sha256("".join(key + "\n" for key in keys).encode()).hex(),
                   sha256(text.encode()).hex())
        if not last < entry["ledgerSize"] <= at:
            self.problem(at, f"ledgerSize should be from {last + 1} to {at}")
        elif said != follows:
            self.problem(at, f"core says {said}, follows {follows}")
        else:
            self.counts["cores"] += 1

    def core(self, plan, entry):
        """Keys of V*, and the text of the core's note."""
        certified, terms = [], []
        for term in plan.terms:
            outcomes = [self.outcomes.get((plan.core, (term, pair))) for pair in plan.pairs]
            status = next((s for s in ("revoked", "refused") if s in outcomes),
                          "untested" if None in outcomes else "certified")
            certified += [term] if status == "certified" else []
            other = plan.alternatives.get(term)
            terms.append(f'{{"key":"{term}","status":"{status}"'
                         + (f',"alternative":"{other}"' if other else "") + "}")
        agents = ",".join(f'"{agent}"' for agent in plan.agents)
        return certified, (
            f'parlance-core-1\n{{"agents":[{agents}],"domain":"{plan.domain}","version":{entry["version"]},'
            f'"issuedAtMs":{entry["atMs"]},"tau":{plan.entry["tau"].text},"delta":{number_text(plan.delta)},'
            f'"rhoMin":{plan.entry["rhoMin"].text},"bound":"{plan.entry["bound"]}",'
            f'"ledgerSize":{entry["ledgerSize"]},"terms":[{",".join(terms)}]}}\n')


LINE = re.compile(rb'\{"index":(\d+),"leaf":"([0-9a-f]{64})","entry":(\{.*\})\}', re.DOTALL)


class NoKeys(Exception):
    """A file that was given for keys of members holds something else."""


def keys_in(members):
    """The keys of members in a file, one a line."""
    with open(members, encoding="utf-8") as lines:
        try:
            return [key_of(line.strip()) for line in lines if line.strip()]
        except ValueError as problem:
            raise NoKeys(f"{members}: {problem}") from problem


def verify(export, trusted=None, members=None, faults=1):
    """Prints a report on an export; its exit status."""
    pinned = []
    if members is not None:
        pinned = keys_in(members)
        if not pinned:
            print("no keys of members")
            return 2
    if not re.fullmatch(r"0|[1-9][0-9]{0,3}", str(faults)):
        print(f"expected a number of faults, got {faults}")
        return 2
    ledger, root = Ledger(pinned), Root()
    with open(export, "rb") as lines:
        try:
            header = json.loads(lines.readline())
            note, vkey = header["checkpoint"], header["vkey"]
            if header["format"] != "parlance-ledger-export-1":
                raise ValueError(header["format"])
            if not isinstance(note, str) or not isinstance(vkey, str):
                raise TypeError("checkpoint and vkey are texts")
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            print(f"not an export: {problem!r}")
            return 2
        for index, line in enumerate(lines):
            match = LINE.fullmatch(line.rstrip(b"\n"))
            if not match or int(match[1]) != index:
                ledger.problem(index, "not the line of an entry of ours")
                continue
            leaf = sha256(b"\0" + match[3])
            root.append(leaf)
            if leaf.hex() != match[2].decode():
                ledger.problem(index, "is not the one that the leaf hash is of")
            try:
                ledger.take(index, read_entry(match[3]))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
                ledger.problem(index, f"not an entry: {problem!r}")
    ledger.time(int(time.time() * 1000), MOST_DELAY_MS)
    if pinned:
        for (name, epoch), round_ in ledger.rounds.items():
            quorum = 2 * max(round_.opened["faults"], int(faults)) + 1
            if round_.ended and round_.follows["outcome"] != "abort" and len(round_.signed) < quorum:
                ledger.problem(round_.decided_at, f"round {name}:{epoch} is not signed by {quorum} members")
    opened = open_checkpoint(note, vkey if trusted is None else trusted)
    if isinstance(opened, str):
        print(f"checkpoint: {opened}")
    elif opened[1:] != (root.size, root.hash()):
        print(f"checkpoint: {opened[1]} entries with root {opened[2].hex()}, "
              f"the export has {root.size} with root {root.hash().hex()}")
        opened = "root"
    for problem in ledger.problems:
        print(problem)
    if ledger.problem_count > SHOWN:
        print(f"and {ledger.problem_count - SHOWN} more")
    running = [name for name, audit in ledger.audits.items() if not audit.closed]
    for name in running:
        print(f"note: audit {name} has not ended")
    for (name, epoch), round_ in ledger.rounds.items():
        for member in round_.contradicted():
            print(f"note: {member} has signed two proposals in round {name}:{epoch}")
        if not round_.ended:
            print(f"note: round {name}:{epoch} has not ended")
        elif not round_.is_final() and round_.follows["outcome"] != "abort":
            withheld = [member for member in round_.opened["members"] if member not in round_.signed]
            print(f"note: round {name}:{epoch} is not final, not signed by {', '.join(withheld)}")
    for name, pact in ledger.pacts.items():
        if pact.is_open():
            print(f"note: pact {name} {'is in dispute' if pact.is_disputed() else 'has not ended'}")
    for party, (honesty, reliability, counted, reporters) in ledger.scores().items():
        bad_faith = f", bad faith reported by {', '.join(reporters)}" if reporters else ""
        print(f"note: score of {party}: {counted} pacts, scope honesty {honesty}, reliability {reliability}{bad_faith}")
    for board in list(reversed(ledger.boards.values()))[:SHOWN]:
        print(board.line())
    if len(ledger.boards) > SHOWN:
        print(f"note: and {len(ledger.boards) - SHOWN} more boards")
    sound = ledger.problem_count == 0 and not isinstance(opened, str)
    print(("sound: " if sound else "NOT sound: ")
          + ", ".join(f"{count} {name}" for name, count in ledger.counts.items() if count or name != "reviews"))
    return 0 if sound else 1


def proves(record, keys):
    """Whether a record of four lines proves that its member has contradicted itself."""
    header, member, *notes = record
    own = [key for key in keys if key[0] == member]
    texts, said = [], []
    for data in notes:
        text, signatures = open_note(strict_base64(data))
        kind, body, end = text.split("\n")
        said.append(json.loads(body, parse_float=Number))
        if end or text_of(said[-1]) != body or not signers(text, signatures, own):
            return False
        texts.append((kind, text))
    if header != "parlance-equivocation-1" or texts[0][0] != texts[1][0]:
        return False
    one, other = said
    if (one["round"], one["epoch"]) != (other["round"], other["epoch"]):
        return False
    if texts[0][0] == "parlance-proposal-1":
        return (one["agent"] == other["agent"] == member
                and (one["verdict"], one["textSha256"]) != (other["verdict"], other["textSha256"]))
    return texts[0][0] == "parlance-outcome-1" and texts[0] != texts[1]


def check_proofs(proofs, members):
    keys = keys_in(members)
    with open(proofs, encoding="utf-8") as data:
        lines = data.read().split("\n")
    records = [lines[at:at + 4] for at in range(0, len(lines) - 1, 4)]
    status = 0 if records else 1
    for record in records:
        try:
            holds = len(record) == 4 and proves(record, keys)
        except (ValueError, KeyError, TypeError, IndexError):
            holds = False
        print(f"the proof holds: {record[1]} has signed both" if holds else "this proves nothing")
        status = status if holds else 1
    return status


def main(arguments):
    if arguments in (["--help"], ["-h"]):
        print(__doc__)
        return 0
    if len(arguments) == 3 and arguments[0] == "--proofs":
        return attempt(check_proofs, arguments[1:])
    if arguments == ["-"]:
        status = 0
        for line in sys.stdin:
            export, *more = line.rstrip("\n").split("\t")
            found = attempt(verify, [export, *(one or None for one in more)])
            print(f"status: {found}", flush=True)
            status = max(status, found)
        return status
    if not 1 <= len(arguments) <= 4:
        print(__doc__)
        return 2
    return attempt(verify, arguments)


def attempt(check, arguments):
    """Its status; 2 where what it is to read is not there, which says nothing about a ledger."""
    try:
        return check(*arguments)
    except OSError as problem:
        print(f"cannot be read: {problem.filename}: {problem.strerror}")
    except NoKeys as problem:
        print(f"not keys of members: {problem}")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
