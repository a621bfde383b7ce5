// The console's server for tests of the pages: fixed data, the contract's answers, the same headers as the real one. State is kept
// in memory; what a test needs to happen (decisions, a sidecar that ends) it does by calling the returned object.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { SIDECARS, STATIC, decision, heldItems, judgement } from "./fixtures.mjs";

const WEB = fileURLToPath(new URL("web/", import.meta.url));
const LIBRARIES = fileURLToPath(new URL("node_modules/", import.meta.url));
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css" };
const UNDO_MS = 60_000;
const FEATURES = ["decisions", "review", "judgement", "sidecars", "cores", "rounds", "pacts", "lexicon", "ledger", "claims", "sendBack", "links"];

export async function startServer() {
  const now = Date.now();
  const items = heldItems(now);
  const sessions = new Map();
  const watchers = new Set();
  const events = [];
  const recent = Array.from({ length: 40 }, (_, i) => decision(now - i * 900));
  const gone = new Set();
  let down = false;
  let lastId = 0;

  const index = await readFile(`${WEB}index.html`, "utf8");
  const map = /<script type="importmap">(.*?)<\/script>/s.exec(index)[1];
  const policy = `default-src 'none'; script-src 'self' 'sha256-${createHash("sha256").update(map).digest("base64")}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

  function emit(name, data) {
    const text = `id: ${++lastId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    events.push({ id: lastId, text });
    if (events.length > 2_048) events.shift();
    for (const watcher of watchers) watcher.write(text);
  }

  const problem = (status, code, title, more = {}) => ({ status, body: { status, code, title, ...more } });
  const ok = (body) => ({ status: 200, body });
  const find = (sidecar, id) => items.find((item) => item.sidecar === sidecar && item.id === id);

  function settle(item) {
    if (item.undoUntilMs && item.undoUntilMs <= Date.now()) {
      item.state = { release: "released", reject: "rejected", send_back: "sent_back" }[item.decision.act];
      delete item.undoUntilMs;
    }
    if (item.claim && item.claim.untilMs < Date.now()) delete item.claim;
  }

  function view(item, who) {
    settle(item);
    const { claim, ...rest } = item;
    const theirs = claim && claim.who !== who;
    const acts = item.state === "decided" && item.decision.who === who ? ["undo"] : item.state !== "pending" || theirs ? [] : [claim ? "unclaim" : "claim", "release", "reject", "send-back"];
    return { ...rest, ...(claim ? { claim: { ...claim, mine: claim.who === who } } : {}), acts };
  }

  function act(item, what, note, who) {
    settle(item);
    const refused = (code, title) => problem(409, code, title, { item: view(item, who) });
    if (item.claim && item.claim.who !== who && item.state === "pending") return refused("claimed", `${item.claim.who} has claimed this item.`);
    if (what === "undo") {
      if (item.state !== "decided") return refused("too_late", "The decision counts already.");
      item.state = "pending";
      delete item.decision;
      delete item.undoUntilMs;
    } else if (item.state !== "pending") {
      return refused("already_decided", `${item.decision.who} has decided already.`);
    } else if (what === "claim") {
      item.claim = { who, untilMs: Date.now() + 600_000 };
    } else if (what === "unclaim") {
      delete item.claim;
    } else {
      item.state = "decided";
      item.decision = { who, act: what.replace("-", "_"), atMs: Date.now(), ...(note ? { note } : {}) };
      item.undoUntilMs = Date.now() + UNDO_MS;
    }
    item.history.push({ what, who, atMs: Date.now(), ...(note ? { note } : {}) });
    emit("review", { sidecar: item.sidecar, id: item.id, state: item.state, ...(item.claim ? { claim: item.claim } : {}) });
    return ok(view(item, who));
  }

  function search(body, who) {
    items.forEach(settle);
    const text = body.text?.toLowerCase();
    const fits = items.filter(
      (item) =>
        !gone.has(item.sidecar) &&
        (!body.state || item.state === body.state) &&
        (!body.sidecar || item.sidecar === body.sidecar) &&
        (!body.route || item.routeRule === body.route) &&
        (!body.reason || item.reasons.includes(body.reason)) &&
        (!body.peer || item.caller.includes(body.peer) || item.destination.includes(body.peer)) &&
        (!body.textSha256 || item.textSha256 === body.textSha256) &&
        (!text || item.answer.toLowerCase().includes(text) || item.question.toLowerCase().includes(text)) &&
        (body.minGrounding === undefined || item.signals.grounding >= body.minGrounding) &&
        (body.maxGrounding === undefined || item.signals.grounding <= body.maxGrounding) &&
        (!body.mine || item.claim?.who === who),
    );
    const from = Number(body.after ?? 0);
    const limit = body.limit ?? 100;
    const grounding = new Array(20).fill(0);
    const counts = { reasons: {}, routes: {}, sidecars: {}, states: {} };
    const add = (to, name) => (to[name] = (to[name] ?? 0) + 1);
    for (const item of fits) {
      grounding[Math.min(19, Math.floor(item.signals.grounding * 20))]++;
      add(counts.reasons, item.reasons[0]);
      add(counts.routes, item.routeRule);
      add(counts.sidecars, item.sidecar);
      add(counts.states, item.state);
    }
    const page = fits.slice(from, from + limit).map((item) => {
      const { question, answer, drafts, evidence, history, acts, ...summary } = view(item, who);
      return summary;
    });
    const more = from + limit < fits.length ? { next: String(from + limit) } : {};
    return { items: page, total: fits.length, distribution: { grounding, unknown: 0, ...counts }, ...more, ...(gone.size ? { gone: [...gone] } : {}) };
  }

  function sidecars() {
    return SIDECARS.map((id, i) => ({
      id, agent: id.split("-")[0], node: `node-${i}`, version: "0.9.0", attached: !gone.has(id), lastSeenMs: Date.now() - 2_000, ready: true, enforcing: i !== 1,
      waiting: items.filter((item) => item.sidecar === id && item.state === "pending").length,
      config: i === 2 ? { refused: true, reason: "bad_value", problems: ["sidecar.yaml:14: routes[0].judge: got \"yes\", expected one of off, on"] } : { revision: "7", refused: false },
      cores: i ? [] : [{ id: "billing+support/refunds", version: 3, latestVersion: 4, ageMs: 40_000, state: "stale", refused: "signature_unknown" }],
    }));
  }

  function route(method, path, body, session) {
    const who = session.who;
    const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
    if (session.item && !(parts[0] === "review" && parts[2] === session.item.id)) return problem(403, "role_missing", "This link shows one item only.");
    if (path === "/review/search") return ok(search(body, who));
    if (path === "/review/figures") return ok({ waiting: items.filter((item) => item.state === "pending").length, claimed: items.filter((item) => item.claim).length, oldestAgeMs: Date.now() - items[0].heldAtMs, escalations: 0, agreement: { items: 12, observed: 0.92, cohenKappa: 0.82 } });
    if (path === "/review/actions") {
      return ok({ results: body.items.map((ref) => {
        const done = act(find(ref.sidecar, ref.id), body.act, body.note, who);
        return { item: ref, done: done.status === 200, ...(done.status === 200 ? {} : { problem: done.body }) };
      }) });
    }
    if (parts[0] === "review") {
      const item = find(parts[1], parts[2]);
      if (!item) return problem(404, "not_found", "There is no such held message; it may have been delivered long ago.");
      if (gone.has(parts[1])) return problem(503, "sidecar_gone", `The sidecar ${parts[1]} does not answer. Its messages stay held; try again when it is back.`);
      if (parts[3] === "link") return ok({ url: `${origin()}/#/link/token-${item.sidecar}-${item.id}`, expiresAtMs: Date.now() + 86_400_000 });
      return parts[3] ? act(item, parts[3], body.note, who) : ok(view(item, who));
    }
    if (path === "/judgement") {
      const item = find(body.sidecar, body.review);
      return ok({ ...judgement(body.answer, item.evidence, item.question), route: "execute", reasons: [{ code: "ok", sentence: "Nothing speaks against it." }] });
    }
    if (path === "/decisions") return ok({ decisions: recent });
    if (parts[0] === "decisions") {
      const held = items.find((item) => item.decisionId === parts[2]);
      const found = recent.find((each) => each.id === parts[2]) ?? (held ? { ...recent[0], id: parts[2], sidecar: held.sidecar, route: "yield", reasons: held.reasons, sentence: held.sentence } : undefined);
      if (!found) return problem(404, "not_found", "The decision log no longer has this decision.");
      return ok({ decision: found, line: { type: "decision", id: parts[2] }, findings: [{ topic: "grounding", text: "0.21 is below the least grounding, 0.33.", bearing: "fail" }, { topic: "route", text: found.sentence, bearing: "note" }], ...(held ? { review: { sidecar: held.sidecar, id: held.id } } : {}) });
    }
    if (path === "/sidecars") return ok({ sidecars: sidecars() });
    if (parts[0] === "sidecars" && parts[2] === "config") return ok({ config: { node: parts[1], routes: [] }, generation: 2, refusals: 1 });
    const fixed = STATIC[path];
    return fixed ? ok(fixed) : problem(404, "not_found", "There is nothing under this address.");
  }

  function logIn(body, response) {
    const session = body.code?.startsWith("code-")
      ? { who: body.code.slice(5), roles: body.code === "code-viewer" ? ["viewer"] : ["viewer", "reviewer", "auditor", "operator"], features: FEATURES, login: "code", expiresAtMs: Date.now() + 3_600_000, version: "0.9.0" }
      : body.link?.startsWith("token-")
        ? { who: "a link", roles: ["reviewer"], features: ["review", "judgement"], login: "link", item: linked(body.link), expiresAtMs: Date.now() + 3_600_000, version: "0.9.0" }
        : undefined;
    if (!session) return problem(403, body.link ? "link_refused" : "code_used", "This link has been used or has expired. Ask for a new one.");
    const id = String(sessions.size + 1);
    sessions.set(id, session);
    response.setHeader("set-cookie", `session=${id}; HttpOnly; SameSite=Strict; Path=/`);
    return ok(session);
  }

  function linked(link) {
    const [, sidecar, id] = /^token-(.+)-(r-\d+)$/.exec(link);
    return { sidecar, id };
  }

  async function api(request, response, path) {
    if (down) {
      request.destroy();
      return;
    }
    let text = "";
    for await (const part of request) text += part;
    const body = text ? JSON.parse(text) : {};
    const session = sessions.get(/session=(\d+)/.exec(request.headers.cookie ?? "")?.[1]);
    if (path === "/events" && session) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      const seen = request.headers["last-event-id"];
      const after = Number(seen ?? lastId);
      if (seen === undefined) response.write(`id: ${lastId}\nevent: reset\ndata: {"why":"this begins here"}\n\n`);
      response.write(`: ready\n\n${events.filter((each) => each.id > after).map((each) => each.text).join("")}`);
      watchers.add(response);
      request.on("close", () => watchers.delete(response));
      return;
    }
    const answer =
      path === "/session" && request.method === "POST"
        ? logIn(body, response)
        : !session
          ? problem(401, "not_logged_in", "Nobody is logged in.", { login: "code" })
          : path === "/session"
            ? ok(session)
            : route(request.method, path, body, session);
    response.writeHead(answer.status, { "content-type": answer.status === 200 ? "application/json" : "application/problem+json" });
    response.end(JSON.stringify(answer.body));
  }

  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader("content-security-policy", policy);
    response.setHeader("x-content-type-options", "nosniff");
    const path = new URL(request.url, "http://x").pathname;
    if (path.startsWith("/api/v1/")) {
      api(request, response, path.slice("/api/v1".length)).catch((error) => {
        console.error(error);
        response.writeHead(500).end();
      });
      return;
    }
    const library = path.startsWith("/lib/");
    const file = library ? LIBRARIES + path.slice("/lib/".length) : WEB + (path === "/" ? "index.html" : path.slice(1));
    readFile(file).then(
      (content) => response.writeHead(200, { "content-type": `${TYPES[file.split(".").pop()] ?? "application/octet-stream"}; charset=utf-8` }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = () => `http://127.0.0.1:${server.address().port}`;
  return {
    url: origin(),
    asked,
    items,
    decide(many = 1) {
      for (let i = 0; i < many; i++) {
        const made = decision(Date.now());
        recent.unshift(made);
        if (recent.length > 200) recent.pop();
        emit("decision", made);
      }
    },
    kill(sidecar) {
      gone.add(sidecar);
      emit("sidecar", sidecars().find((each) => each.id === sidecar));
    },
    down(is) {
      down = is;
      if (is) for (const watcher of watchers) watcher.destroy();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = await startServer();
  setInterval(() => started.decide(Number(process.argv[2] ?? 2)), 1_000);
  console.log(`${started.url}/#code=code-ada`);
}
