// What users of the public SDKs see of each way in which an agent fails, and of an answer that is held for a person. Settings:
// {"base"}. Prints one JSON line for each; behind one with "decide" a line comes once somebody has decided: whoever collects waits
// for it, whoever follows a task asks for it again and again meanwhile.
import OpenAI from 'openai';
import { JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { base } = JSON.parse(process.argv[2]);
console.log = console.info = console.debug = console.warn = console.error = () => {};
const LIMIT_MS = 8_000;
const FACT = 'Answer from this:\n[c1] The lid is held by four screws.';
const openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'k', maxRetries: 0, timeout: LIMIT_MS });
const chat = (way, stream, headers) => openai.chat.completions.create({ model: 'm', stream, messages: [{ role: 'system', content: FACT }, { role: 'user', content: `Why? way-${way}` }] }, { headers });
const ask = (way) => ({ tenant: '', message: { messageId: 'm', contextId: '', taskId: '', role: 1, parts: [{ content: { $case: 'text', value: `Why? way-${way}` }, metadata: undefined, filename: '', mediaType: 'text/plain' }], metadata: undefined, extensions: [], referenceTaskIds: [] }, configuration: undefined, metadata: undefined });
async function all(stream) {
  for await (const one of await stream) void one;
  return 'the stream just ends';
}
async function tool(way, collect) {
  const client = new Client({ name: 'c', version: '1' });
  const withId = (url, init) => fetch(url, init?.body?.includes?.('tools/call') ? { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), 'Parlance-Review': collect } } : init);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), collect ? { fetch: withId } : {}));
  try {
    return await client.callTool({ name: 'look', arguments: { q: `way-${way}` } }, undefined, { timeout: LIMIT_MS });
  } finally {
    await client.close();
  }
}
const made = (factory, url) => factory.create(url, { supportedInterfaces: [{ url, protocolBinding: factory.protocolName, protocolVersion: '1.0', tenant: '' }] });
const rpc = await made(new JsonRpcTransportFactory(), `${base}/a2a`);
const rest = await made(new RestTransportFactory(), `${base}/rest`);
const overGrpc = await made(new GrpcTransportFactory({}), new URL(base).host);
const states = ['?', 'SUBMITTED', 'WORKING', 'COMPLETED', 'FAILED', 'CANCELED', 'INPUT_REQUIRED', 'REJECTED', 'AUTH_REQUIRED'];
const words = (parts) => (parts ?? []).map((part) => part.content?.value ?? '').join('');
const union = (result) => result.payload?.value ?? result;
const task = (it) => (it.status ? `task ${it.id}, ${states[it.status.state] ?? it.status.state}: ${words(it.artifacts?.[0]?.parts) || words(it.status.message?.parts)}` : words(it.parts));
const a2a = (client, ways) => ({
  ...Object.fromEntries(ways.map((way) => [way, way === 'event' || way === 'dies' ? () => all(client.sendMessageStream(ask(way))) : () => client.sendMessage(ask(way))])),
  held: async (tag) => task(union(await client.sendMessage(ask(`bad${tag}`)))),
  collect: async (id) => task(await client.getTask({ tenant: '', id: `parlance-task-${id}`, historyLength: 0 })),
  polls: true,
});
const said = (completion) => `${completion.choices[0].finish_reason}: ${completion.choices[0].message.content}`;
const told = (result) => `${result.isError ? 'isError: ' : ''}${result.content[0].text}`;
const clients = {
  'openai JS': { busy: () => chat('busy'), long: () => chat('long'), page: () => chat('page'), event: () => all(chat('event', true)), dies: () => all(chat('dies', true)),
    held: async (tag) => said(await chat(`bad${tag}`)), collect: async (id) => said(await chat('bad', false, { 'Parlance-Review': id })) },
  'A2A JS, JSON-RPC': a2a(rpc, ['busy', 'long', 'page', 'rpc', 'event', 'dies']),
  'A2A JS, HTTP+JSON': a2a(rest, ['busy', 'long', 'page', 'event', 'dies']),
  'A2A JS, gRPC': a2a(overGrpc, ['busy', 'long', 'event']),
  'MCP JS': { busy: () => tool('busy'), long: () => tool('long'), page: () => tool('page'), lost: () => tool('lost'), rpc: () => tool('rpc'),
    held: async (tag) => told(await tool(`bad${tag}`)), collect: async (id) => told(await tool('bad', id)) },
};
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const print = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const short = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '/');
async function shown(call) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('it hangs')), LIMIT_MS));
  return short(await Promise.race([call(), late]).then((value) => `no error: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    (e) => `${e.constructor.name} ${e.status ?? e.code ?? ''}: ${e.message}${e.headers?.get?.('retry-after') ? ` (retry-after ${e.headers.get('retry-after')})` : ''}${e.cause ? ` (${e.cause.message ?? e.cause})` : ''}`));
}
const pause = () => new Promise((done) => setTimeout(done, 50));
// As somebody who follows a task: asks for it until it works no longer.
async function polled(collect, id) {
  for (;;) {
    const now = await collect(id);
    if (!/^task \S+ WORKING/.test(now)) return now;
    await pause();
  }
}
let tag = 0;
for (const [client, { held, collect, polls, ...ways }] of Object.entries(clients)) {
  for (const [way, call] of Object.entries(ways)) {
    print({ client, way, shown: await shown(call) });
  }
  for (const decide of ['release', 'reject']) {
    const waits = await shown(() => held(++tag));
    const id = /\br-[0-9a-z]+/.exec(waits)?.[0] ?? '';
    if (polls) {
      print({ client, way: 'held', shown: waits });
      print({ client, way: 'waits', shown: await shown(() => collect(id)), id, decide });
      print({ client, way: decide, shown: await shown(() => polled(collect, id)) });
      await lines.next();
    } else {
      print({ client, way: 'held', shown: waits, id, decide });
      await lines.next();
      print({ client, way: decide, shown: await shown(() => collect(id)) });
    }
  }
}
print({});
process.exit(0);
