// What users of the public SDKs see of each way in which an agent fails. Settings: {"base"}. Prints one JSON line for each.
import OpenAI from 'openai';
import { JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { writeSync } from 'node:fs';

const { base } = JSON.parse(process.argv[2]);
console.log = console.info = console.debug = console.warn = console.error = () => {};
const LIMIT_MS = 8_000;
const openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'k', maxRetries: 0, timeout: LIMIT_MS });
const chat = (way, stream) => openai.chat.completions.create({ model: 'm', stream, messages: [{ role: 'user', content: `Why? way-${way}` }] });
const ask = (way) => ({ tenant: '', message: { messageId: 'm', contextId: '', taskId: '', role: 1, parts: [{ content: { $case: 'text', value: `Why? way-${way}` }, metadata: undefined, filename: '', mediaType: 'text/plain' }], metadata: undefined, extensions: [], referenceTaskIds: [] }, configuration: undefined, metadata: undefined });
async function all(stream) {
  for await (const one of await stream) void one;
  return 'the stream just ends';
}
async function tool(way) {
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
  try {
    return JSON.stringify(await client.callTool({ name: 'look', arguments: { q: `way-${way}` } }, undefined, { timeout: LIMIT_MS }));
  } finally {
    await client.close();
  }
}
const made = (factory, path) => factory.create(`${base}${path}`, { supportedInterfaces: [{ url: `${base}${path}`, protocolBinding: factory.protocolName, protocolVersion: '1.0', tenant: '' }] });
const rpc = await made(new JsonRpcTransportFactory(), '/a2a');
const rest = await made(new RestTransportFactory(), '/rest');
const clients = {
  'openai JS': { busy: () => chat('busy'), long: () => chat('long'), page: () => chat('page'), event: () => all(chat('event', true)), dies: () => all(chat('dies', true)) },
  'A2A JS, JSON-RPC': { busy: () => rpc.sendMessage(ask('busy')), long: () => rpc.sendMessage(ask('long')), page: () => rpc.sendMessage(ask('page')), rpc: () => rpc.sendMessage(ask('rpc')), event: () => all(rpc.sendMessageStream(ask('event'))), dies: () => all(rpc.sendMessageStream(ask('dies'))) },
  'A2A JS, HTTP+JSON': { busy: () => rest.sendMessage(ask('busy')), long: () => rest.sendMessage(ask('long')), page: () => rest.sendMessage(ask('page')), event: () => all(rest.sendMessageStream(ask('event'))), dies: () => all(rest.sendMessageStream(ask('dies'))) },
  'MCP JS': { busy: () => tool('busy'), long: () => tool('long'), page: () => tool('page'), lost: () => tool('lost'), rpc: () => tool('rpc') },
};
for (const [client, ways] of Object.entries(clients)) {
  for (const [way, call] of Object.entries(ways)) {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('it hangs')), LIMIT_MS));
    const shown = await Promise.race([call(), late]).then((value) => `no error: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      (e) => `${e.constructor.name} ${e.status ?? e.code ?? ''}: ${e.message}${e.headers?.get?.('retry-after') ? ` (retry-after ${e.headers.get('retry-after')})` : ''}${e.cause ? ` (${e.cause.message ?? e.cause})` : ''}`);
    writeSync(1, `${JSON.stringify({ client, way, shown: shown.replace(/\s+/g, ' ').replaceAll('|', '/').slice(0, 170) })}\n`);
  }
}
process.exit(0);
