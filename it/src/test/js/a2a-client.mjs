// Clients on @a2a-js/sdk for every binding and version. Runs a list of scenarios against the agent at {"base"} and prints one
// JSON line for each: what the SDK gave its user, with ids, times and addresses made equal and what sidecars add taken out.
// Settings, as one JSON argument: base; proxy (port of an outbound sidecar, 0: none); control (the agent's own port);
// publicKey; list (plain, whole: those of plain that can be read to the last part, or refused); bindings (["JSONRPC", "1.0"], ...);
// context (id of the conversation that messages belong to if they name none, may be empty).
import grpc from '@grpc/grpc-js';
import { createServer, request as createRequest } from 'node:http';
import { once } from 'node:events';
import { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { verifyAgentCardSignature } from '@a2a-js/sdk';
import { ProxyAgent, setGlobalDispatcher } from 'undici';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeSync } from 'node:fs';

const { base, proxy, control, publicKey, list, bindings, context } = JSON.parse(process.argv[2]);
const ASP = 'https://w3id.org/parlance/ext/asp/v1';
// What the SDK itself logs is none of the results.
console.log = console.info = console.debug = console.error;
const LIMIT_MS = 5_000;
const CARD = '/.well-known/agent-card.json';
const legacyCompat = { enabled: true };
if (proxy) setGlobalDispatcher(new ProxyAgent({ uri: `http://127.0.0.1:${proxy}`, proxyTunnel: false }));
const authority = new URL(base).host;
const resolver = new DefaultAgentCardResolver({ legacyCompat });
const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
  cardResolver: resolver,
  transports: [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat }),
    new GrpcTransportFactory({ legacyCompat, grpcCallOptions: proxy ? { host: authority } : {} })],
}));

/** Equal for equal content, whoever made ids, times and addresses, and whatever a sidecar added. */
function normal(value, ids = new Map()) {
  if (typeof value === 'string') {
    return value
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        if (!ids.has(id)) ids.set(id, `<id ${ids.size + 1}>`);
        return ids.get(id);
      })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/\bagent-\d+\b/g, '<agent message>')
      .replace(/127\.0\.0\.1:\d+/g, '<address>');
  }
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
  if (Array.isArray(value)) return value.filter((one) => one !== ASP).map((one) => normal(one, ids));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value)
    .filter(([name]) => !name.startsWith(ASP))
    .map(([name, one]) => [name, name === 'timestamp' && one ? '<time>' : normal(one, ids)])
    .filter(([name, one]) => one !== undefined && !(name === 'metadata' && Object.keys(one ?? {}).length === 0)
      && !(name === 'extensions' && one.length === 0));
  return Object.fromEntries(members);
}

const signal = () => AbortSignal.timeout(LIMIT_MS);
const textPart = (value) => ({ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' });
let asked = 0;
const ask = (value, more = {}, configuration = undefined) => ({ tenant: '', metadata: undefined, configuration,
  message: { messageId: `user-${++asked}`, contextId: context, taskId: '', role: 1, parts: [textPart(value)], metadata: undefined,
    extensions: [], referenceTaskIds: [], ...more } });
const returnAtOnce = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true };
async function all(events) {
  const seen = [];
  for await (const event of events) seen.push(event);
  return seen;
}
const taskIn = (event) => event.payload.value.id ?? event.payload.value.taskId;
const go = (task) => new Promise((ok, no) => {
  const request = createRequest(`http://127.0.0.1:${control}/go/${task}`, { method: 'POST' }, (res) => res.resume().on('end', ok));
  request.on('error', no).end();
});

/** A webhook that keeps what it is sent. */
async function webhook() {
  const got = [];
  const server = createServer((req, res) => {
    const pieces = [];
    req.on('data', (piece) => pieces.push(piece));
    req.on('end', () => {
      got.push({ type: req.headers['content-type'], token: req.headers['x-a2a-notification-token'],
        body: JSON.parse(Buffer.concat(pieces)) });
      res.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { got, url: `http://127.0.0.1:${server.address().port}/hook`, close: () => server.close() };
}
const isOver = (body) => JSON.stringify(body).match(/TASK_STATE_COMPLETED|"completed"/) !== null;

/** Bytes as they are, past the SDK. */
async function raw(path, method, contentType, body, version) {
  const response = await fetch(base + path, { method, body, signal: signal(),
    headers: { 'Content-Type': contentType, 'A2A-Version': version } });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

const plain = {
  message: (c) => c.sendMessage(ask('message please'), { signal: signal() }),
  'message with context': (c) => c.sendMessage(ask('message please', { contextId: 'context-1' }), { signal: signal() }),
  task: (c) => c.sendMessage(ask('task please'), { signal: signal() }),
  parts: (c) => c.sendMessage(ask('parts please'), { signal: signal() }),
  'parts both ways': (c) => c.sendMessage(ask('', { parts: [textPart('echo \u2028 \u{1f600} "\\ \u0007 é'),
    { content: { $case: 'data', value: { a: [1, -0.5, 1e21, null, { b: 'c' }], '': '' } }, metadata: undefined, filename: '', mediaType: 'application/json' },
    { content: { $case: 'raw', value: Buffer.from([0, 1, 2, 250]) }, metadata: undefined, filename: 'b.bin', mediaType: 'application/octet-stream' },
    { content: { $case: 'url', value: 'https://example.org/a?b=%2F' }, metadata: undefined, filename: '', mediaType: 'text/html' }] }), { signal: signal() }),
  stream: (c) => all(c.sendMessageStream(ask('stream please'), { signal: signal() })),
  'stream of one message': (c) => all(c.sendMessageStream(ask('message please'), { signal: signal() })),
  async 'get and list'(c) {
    const task = await c.sendMessage(ask('task please', { contextId: `context-of-${c.label.replace(/\W/g, '-')}` }), { signal: signal() });
    const got = await c.getTask({ tenant: '', id: task.id, historyLength: 5 }, { signal: signal() });
    const short = await c.getTask({ tenant: '', id: task.id, historyLength: 0 }, { signal: signal() });
    const listed = c.label.endsWith('0.3') ? 'v0.3 has no list' : await c.listTasks({ tenant: '', contextId: task.contextId, status: 0,
      pageToken: '', statusTimestampAfter: undefined, includeArtifacts: true }, { signal: signal() });
    return { got, short, listed };
  },
  async 'cancel a running stream'(c) {
    const seen = [];
    let canceled;
    for await (const event of c.sendMessageStream(ask('slow please'), { signal: signal() })) {
      seen.push(event);
      if (seen.length === 1) canceled = c.cancelTask({ tenant: '', id: taskIn(event), metadata: undefined }, { signal: signal() });
    }
    return { seen, canceled: await canceled };
  },
  async resubscribe(c) {
    const first = [];
    const again = [];
    let second;
    for await (const event of c.sendMessageStream(ask('wait please'), { signal: signal() })) {
      first.push(event);
      if (first.length === 1) {
        let attached;
        const ready = new Promise((ok) => { attached = ok; });
        second = (async () => {
          for await (const more of c.resubscribeTask({ tenant: '', id: taskIn(event) }, { signal: signal() })) {
            again.push(more);
            attached();
          }
        })();
        await Promise.race([ready, sleep(500)]);
        await go(taskIn(event));
      }
    }
    await second;
    return { first, again };
  },
  async 'input required'(c) {
    const task = await c.sendMessage(ask('input please'), { signal: signal() });
    return { task, then: await c.sendMessage(ask('here it is', { taskId: task.id, contextId: task.contextId }), { signal: signal() }) };
  },
  rejected: (c) => c.sendMessage(ask('reject please'), { signal: signal() }),
  'agent fails': (c) => c.sendMessage(ask('fail please'), { signal: signal() }),
  'agent fails in a stream': (c) => all(c.sendMessageStream(ask('fail please'), { signal: signal() })),
  'task not found': (c) => c.getTask({ tenant: '', id: 'no-such-task' }, { signal: signal() }),
  'finished task cannot be cancelled': async (c) => {
    const task = await c.sendMessage(ask('task please'), { signal: signal() });
    return c.cancelTask({ tenant: '', id: task.id, metadata: undefined }, { signal: signal() });
  },
  async 'push configuration'(c) {
    const task = await c.sendMessage(ask('input please'), { signal: signal() });
    const config = { tenant: '', id: 'config-1', taskId: task.id, url: 'http://127.0.0.1:9/hook', token: 'tok', authentication: undefined };
    const made = await c.createTaskPushNotificationConfig(config, { signal: signal() });
    const got = await c.getTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'config-1' }, { signal: signal() });
    const listed = await c.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, pageSize: 0, pageToken: '' }, { signal: signal() });
    await c.deleteTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'config-1' }, { signal: signal() });
    const left = await c.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, pageSize: 0, pageToken: '' }, { signal: signal() });
    return { made, got, listed, left };
  },
  async 'push delivery'(c) {
    const hook = await webhook();
    try {
      const seen = await all(c.sendMessageStream(ask('pushed please', {}, { acceptedOutputModes: [], returnImmediately: false,
        taskPushNotificationConfig: { tenant: '', id: 'hook', taskId: '', url: hook.url, token: 'tok', authentication: undefined } }),
      { signal: signal() }));
      const until = Date.now() + 5_000;
      while (!hook.got.some((one) => isOver(one.body)) && Date.now() < until) await sleep(10);
      return { seen, delivered: hook.got };
    } finally {
      hook.close();
    }
  },
  'extended card': (c) => c.getAgentCard({ signal: signal() }),
  async 'unknown method'(c) {
    if (c.binding === 'JSONRPC') return raw('/a2a', 'POST', 'application/json', '{"jsonrpc":"2.0","id":7,"method":"NoSuchThing","params":{}}', c.version);
    if (c.binding === 'HTTP+JSON') return raw('/rest/no:such', 'POST', 'application/json', '{}', c.version);
    const service = c.version === '1.0' ? 'lf.a2a.v1.A2AService' : 'a2a.v1.A2AService';
    const line = new grpc.Client(proxy ? `127.0.0.1:${proxy}` : c.endpoint, grpc.credentials.createInsecure());
    try {
      return await new Promise((ok, no) => line.makeUnaryRequest(`/${service}/NoSuchThing`, (x) => x, (x) => x, Buffer.alloc(0),
        new grpc.Metadata(), { host: authority, deadline: Date.now() + LIMIT_MS }, (e, answer) => (e ? no(e) : ok(answer))));
    } finally {
      line.close();
    }
  },
  // Whoever finds out first may say it in words of its own: what counts is that the error is typed, and which.
  async 'not JSON'(c) {
    if (c.binding === 'GRPC') return 'JSON only';
    const path = c.binding === 'JSONRPC' ? '/a2a' : c.version === '1.0' ? '/rest/message:send' : '/rest/v1/message:send';
    const { type, body } = await raw(path, 'POST', 'application/json', '{"jsonrpc":', c.version);
    const said = JSON.parse(body);
    return { type: type.replace(/;.*/, ''), code: said.error?.code ?? said.code };
  },
  'wrong content type': (c) => (c.binding === 'GRPC' ? 'JSON only'
    : raw(c.binding === 'JSONRPC' ? '/a2a' : c.version === '1.0' ? '/rest/message:send' : '/rest/v1/message:send', 'POST',
      'text/plain', 'hello', c.version)),
};

/** What can be read to its last part. */
const notWhole = /push delivery|parts|unknown method|not JSON|wrong content type/;
const whole = Object.fromEntries(Object.entries(plain).filter(([name]) => !notWhole.test(name)));

/** What the agent says there is not fit to pass. */
const refused = {
  message: (c) => c.sendMessage(ask('bad please'), { signal: signal() }),
  task: (c) => c.sendMessage(ask('badtask please'), { signal: signal() }),
  stream: (c) => all(c.sendMessageStream(ask('badstream please'), { signal: signal() })),
  'stream of one message': (c) => all(c.sendMessageStream(ask('bad please'), { signal: signal() })),
  'stream that turns bad': (c) => all(c.sendMessageStream(ask('turn please'), { signal: signal() })),
  async 'read again'(c) {
    const seen = [];
    for await (const event of c.sendMessageStream(ask('badstream please'), { signal: signal() })) seen.push(event);
    return c.getTask({ tenant: '', id: taskIn(seen[0]) }, { signal: signal() });
  },
};

/** The cards are fetched once; every client follows the one interface it is meant for. */
async function clientFor(binding, version, card) {
  const chosen = card.supportedInterfaces.find((one) => one.protocolBinding === binding && one.protocolVersion === version);
  const endpoint = chosen.url;
  // A gRPC channel goes where it is told, so it is told the sidecar; the authority names the agent.
  const url = binding === 'GRPC' && proxy ? `127.0.0.1:${proxy}` : endpoint;
  const client = await factory.createFromAgentCard({ ...card, supportedInterfaces: [{ ...chosen, url }] });
  return Object.assign(client, { label: `${binding} ${version}`, binding, version, endpoint });
}

const describe = (e) => ({ error: e.name, code: e.code ?? null, message: e.message, details: e.details ?? null });
const print = (binding, version, scenario, result) =>
  writeSync(1, `${JSON.stringify({ binding, version, scenario, result: normal(result) ?? null })}\n`);
async function run(binding, version, scenario, what) {
  const began = Date.now();
  try {
    print(binding, version, scenario, await what());
  } catch (e) {
    print(binding, version, scenario, describe(e));
  }
  const ms = Date.now() - began;
  if (ms > 2_000) console.error(`${binding} ${version} ${scenario}: ${ms} ms`);
}

const card = await resolver.resolve(base);
if (list === 'plain') {
  await run('card', '1.0', 'as read by the SDK', () => card);
  await run('card', '1.0', 'bytes', () => raw(CARD, 'GET', 'application/json', undefined, '1.0'));
  await run('card', '0.3', 'bytes', () => raw(CARD, 'GET', 'application/json', undefined, '0.3'));
  await run('card', '1.0', 'signed', async () => {
    const signed = await resolver.resolve(base, `/signed${CARD}`);
    await verifyAgentCardSignature(async () => publicKey)(signed);
    let forged = 'accepted';
    try {
      await verifyAgentCardSignature(async () => publicKey)({ ...signed, name: 'another' });
    } catch (e) {
      forged = e.name;
    }
    return { name: signed.name, signatures: signed.signatures.length, verified: true, forged };
  });
}
for (const [binding, version] of bindings) {
  const client = await clientFor(binding, version, card);
  for (const [name, scenario] of Object.entries({ plain, whole, refused }[list])) {
    await run(binding, version, name, () => scenario(client));
  }
}
process.exit(0);
