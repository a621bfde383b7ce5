// A whole A2A agent on @a2a-js/sdk: v1.0 and v0.3 over JSON-RPC, HTTP+JSON and gRPC. What it does follows from the first
// word it is told. Takes its ports first and prints {"port","grpcPort"}; then it reads one line, {"advertise","proxy"},
// prints {"publicKey"} and begins to answer. Ends when its standard input closes.
import express from 'express';
import grpc from '@grpc/grpc-js';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { DefaultRequestHandler, InMemoryTaskStore, InMemoryPushNotificationStore, DefaultPushNotificationSender,
  DefaultExecutionEventBusManager, AgentEvent } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, agentCardHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { grpcService, A2AService } from '@a2a-js/sdk/server/grpc';
import { legacyGrpcService, LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { generateAgentCardSignature } from '@a2a-js/sdk';
import { ProxyAgent, setGlobalDispatcher } from 'undici';

const EVIDENCE = 'https://w3id.org/parlance/ext/evidence/v1';
const FACT = 'The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3 millimetres';
const INVENTED = 'Our friendly specialists generally recommend whatever feels right for everybody concerned.';
const evidence = () => ({ [EVIDENCE]: { context: [{ id: 'c1', text: `${FACT}.` }], citations: ['c1'] } });
const text = (value) => ({ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' });
const executed = new Map();
const running = new Map();
let made = 0;

const message = (context, parts, metadata) => ({ messageId: `agent-${++made}`, contextId: context.contextId, taskId: '',
  role: 2, parts, metadata, extensions: metadata ? [EVIDENCE] : [], referenceTaskIds: [] });
const artifact = (artifactId, parts, metadata) =>
  ({ artifactId, name: '', description: '', parts, metadata, extensions: metadata ? [EVIDENCE] : [] });
const status = (state, said) => ({ state, message: said, timestamp: new Date().toISOString() });
const STATE = { submitted: 1, working: 2, completed: 3, failed: 4, canceled: 5, inputRequired: 6, rejected: 7 };

/** Says something as one task. */
class Talk {
  constructor(context, bus) { this.context = context; this.bus = bus; }
  task(state, artifacts = [], said) {
    this.bus.publish(AgentEvent.task({ id: this.context.taskId, contextId: this.context.contextId,
      status: status(state, said), artifacts, history: [this.context.userMessage], metadata: undefined }));
  }
  state(state, said) {
    this.bus.publish(AgentEvent.statusUpdate({ taskId: this.context.taskId, contextId: this.context.contextId,
      status: status(state, said), metadata: undefined }));
  }
  chunk(value, append, lastChunk, metadata) {
    this.bus.publish(AgentEvent.artifactUpdate({ taskId: this.context.taskId, contextId: this.context.contextId,
      artifact: artifact('answer', [text(value)], metadata), append, lastChunk, metadata: undefined }));
  }
  say(parts, metadata) { this.bus.publish(AgentEvent.message(message(this.context, parts, metadata))); }
}

const acts = {
  message: (talk) => talk.say([text(`${FACT} [Chunk c1].`)], evidence()),
  bad: (talk) => talk.say([text(INVENTED)], evidence()),
  task: (talk) => talk.task(STATE.completed, [artifact('answer', [text(`${FACT} [Chunk c1].`)], evidence())]),
  badtask: (talk) => talk.task(STATE.completed, [artifact('answer', [text(INVENTED)], evidence())]),
  async stream(talk) {
    talk.task(STATE.working);
    for (const [at, piece] of `${FACT} [Chunk c1].`.split(/(?<= )/).entries()) {
      talk.chunk(piece, at > 0, piece.endsWith('.'), piece.endsWith('].') ? evidence() : undefined);
    }
    talk.state(STATE.completed);
  },
  /** Every piece can stand for itself, since every push is judged for itself. */
  async pushed(talk) {
    talk.task(STATE.working);
    talk.chunk(`${FACT} [Chunk c1].`, false, true, evidence());
    talk.state(STATE.completed);
  },
  /** Good for a long while, then not. */
  async turn(talk) {
    talk.task(STATE.working);
    for (let i = 0; i < 12; i++) talk.chunk(`${FACT} [Chunk c1]. `, i > 0, false, i === 0 ? evidence() : undefined);
    for (let i = 0; i < 12; i++) talk.chunk(`${INVENTED} `, true, i === 11, undefined);
    talk.state(STATE.completed);
  },
  async badstream(talk) {
    talk.task(STATE.working);
    for (const [at, piece] of INVENTED.split(/(?<= )/).entries()) {
      talk.chunk(piece, at > 0, piece.endsWith('.'), piece.endsWith('.') ? evidence() : undefined);
    }
    talk.state(STATE.completed);
  },
  parts: (talk) => talk.say([
    text(`${FACT} [Chunk c1].`),
    { content: { $case: 'data', value: { radialPlay: 0.3, impeller: 'replaced', due: [2000, null, true] } }, metadata: { k: 'v' },
      filename: '', mediaType: 'application/json' },
    { content: { $case: 'raw', value: Buffer.from(`${FACT}.`) }, metadata: undefined, filename: 'fact.txt', mediaType: 'text/plain' },
    { content: { $case: 'url', value: 'https://example.org/manual.pdf' }, metadata: undefined, filename: 'manual.pdf', mediaType: 'application/pdf' },
  ], evidence()),
  echo: (talk) => talk.say(talk.context.userMessage.parts, undefined),
  input(talk) {
    if (talk.context.task) {
      talk.task(STATE.completed, [artifact('answer', [text(`${FACT} [Chunk c1].`)], evidence())]);
    } else {
      talk.task(STATE.inputRequired, [], message(talk.context, [text(`${FACT} [Chunk c1].`)], evidence()));
    }
  },
  reject: (talk) => talk.task(STATE.rejected, [], message(talk.context, [text(`${FACT} [Chunk c1].`)], evidence())),
  fail() { throw new Error('the agent broke'); },
  /** Works until it is cancelled. */
  async slow(talk) {
    talk.task(STATE.working);
    await new Promise((done) => running.set(talk.context.taskId, { talk, done }));
  },
  /** Works until somebody says so. */
  async wait(talk) {
    talk.task(STATE.working);
    await new Promise((done) => running.set(talk.context.taskId, { talk, done }));
    talk.chunk(`${FACT} [Chunk c1].`, false, true, evidence());
    talk.state(STATE.completed);
  },
};

class Executor {
  async execute(context, bus) {
    const said = context.userMessage.parts.map((part) => (part.content?.$case === 'text' ? part.content.value : '')).join(' ');
    const word = context.task ? 'input' : said.split(/\W/)[0];
    executed.set(word, (executed.get(word) ?? 0) + 1);
    await acts[word](new Talk(context, bus));
    bus.finished();
  }
  async cancelTask(taskId, bus) {
    const { talk, done } = running.get(taskId);
    running.delete(taskId);
    new Talk(talk.context, bus).state(STATE.canceled);
    done();
  }
}

const app = express();
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const port = server.address().port;
const rpc = new grpc.Server();
const grpcPort = await new Promise((ok, no) =>
  rpc.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (e, bound) => (e ? no(e) : ok(bound))));
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
// What the SDK itself logs is none of what is read here.
console.log = console.info = console.debug = console.error;
say({ port, grpcPort });

const lines = createInterface({ input: process.stdin });
const { advertise = '', proxy = 0 } = JSON.parse((await once(lines, 'line'))[0]);
lines.on('close', () => process.exit(0));
if (proxy) setGlobalDispatcher(new ProxyAgent({ uri: `http://127.0.0.1:${proxy}`, proxyTunnel: false }));

const base = advertise || `http://127.0.0.1:${port}`;
const rpcAt = advertise ? advertise.slice('http://'.length) : `127.0.0.1:${grpcPort}`;
const versions = (url, protocolBinding) =>
  ['1.0', '0.3'].map((protocolVersion) => ({ url, protocolBinding, protocolVersion, tenant: '' }));
const card = { name: 'pump manual', description: 'Knows one pump.', version: '7', provider: undefined, documentationUrl: '',
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true,
    extensions: [{ uri: EVIDENCE, description: 'sources', required: false, params: undefined }] },
  securitySchemes: {}, securityRequirements: [], defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
  skills: [{ id: 'pump', name: 'Pump', description: 'Maintenance of a pump', tags: ['pump'], examples: ['When?'], inputModes: [],
    outputModes: [], securityRequirements: [] }],
  signatures: [], iconUrl: '',
  supportedInterfaces: [...versions(`${base}/a2a`, 'JSONRPC'), ...versions(`${base}/rest`, 'HTTP+JSON'), ...versions(rpcAt, 'GRPC')] };
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sign = generateAgentCardSignature(privateKey, { alg: 'ES256', kid: 'k1', typ: 'JOSE' });
const pushed = new InMemoryPushNotificationStore();
const handlerFor = (signer) => new DefaultRequestHandler(card, new InMemoryTaskStore(), new Executor(),
  new DefaultExecutionEventBusManager(), pushed,
  new DefaultPushNotificationSender(pushed, { serializers: { '0.3': new V03PushNotificationSerializer() } }),
  { ...card, name: 'pump manual, extended' }, signer);
const handler = handlerFor(undefined);
const options = { requestHandler: handler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
const signed = handlerFor(sign);
app.get('/executed', (_req, res) => res.json(Object.fromEntries(executed)));
app.post('/go/:task', (req, res) => {
  running.get(req.params.task)?.done();
  running.delete(req.params.task);
  res.end();
});
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler, legacyCompat: { enabled: true } }));
app.use('/signed/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: signed }));
app.use('/a2a', jsonRpcHandler(options));
app.use('/rest', restHandler(options));
rpc.addService(A2AService, grpcService(options));
rpc.addService(LegacyA2AService, legacyGrpcService(options));
say({ publicKey: publicKey.export({ format: 'jwk' }) });
