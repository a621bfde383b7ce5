// A real A2A client on @a2a-js/sdk: asks each question and prints what came back, one JSON line each.
// Speaks A2A v1.0, and v0.3 to an agent that advertises nothing newer.
import { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { randomUUID } from 'node:crypto';
const [base, ...questions] = process.argv.slice(2);
const legacyCompat = { enabled: true };
const client = await new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
  transports: [new JsonRpcTransportFactory({ legacyCompat })],
  cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
})).createFromUrl(base);
for (const text of questions) {
  try {
    const result = await client.sendMessage({ message: { messageId: randomUUID(), contextId: '', taskId: '', role: 1,
      parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
      metadata: undefined, extensions: [], referenceTaskIds: [] }, configuration: undefined, metadata: undefined, tenant: '' });
    console.log(JSON.stringify({ text, result }));
  } catch (e) {
    console.log(JSON.stringify({ text, error: e.name, code: e.code ?? null, message: e.message }));
  }
}
