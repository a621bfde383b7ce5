// A real A2A agent on @a2a-js/sdk: answers with grounded, ungrounded or repairable text, as asked.
// Prints {"port":N} once it listens; ends when its standard input closes.
import express from 'express';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, agentCardHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { randomUUID } from 'node:crypto';

const EVIDENCE = 'https://w3id.org/parlance/ext/evidence/v1';
const advertise = process.argv[2] ?? '';
const chunks = [
  { id: 'c1', text: 'The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3 millimetres.' },
  { id: 'c2', text: 'Descale the inlet strainer after 200 operating hours using citric acid solution at five percent.' },
];
const good = 'The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3 millimetres.';
const bad = 'Our friendly specialists generally recommend whatever feels right for everybody concerned.';
let executed = 0;

class Executor {
  async execute(context, bus) {
    executed++;
    const texts = context.userMessage.parts.map((p) => p.text ?? p.content?.value ?? '').join('\n');
    const repaired = /c1/.test(texts);
    const answer = texts.startsWith('good') || texts.startsWith('How often') || (texts.startsWith('repair') && repaired) ? good : bad;
    bus.publish({ kind: 'message', data: {
      messageId: randomUUID(), contextId: context.contextId, taskId: '', role: 2,
      parts: [{ content: { $case: 'text', value: answer }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
      metadata: { [EVIDENCE]: { question: 'q', context: chunks, citations: answer === good ? ['c1'] : [] } },
      extensions: [EVIDENCE], referenceTaskIds: [] } });
    bus.finished();
  }
  async cancelTask() {}
}
const app = express();
const listening = app.listen(0, '127.0.0.1', () => {
  const port = listening.address().port;
  const url = `${advertise || `http://127.0.0.1:${port}`}/a2a`;
  const card = { name: 'js agent', description: 'test agent', version: '1', provider: undefined, documentationUrl: '',
    capabilities: { streaming: false, pushNotifications: false, extensions: [] }, securitySchemes: {}, securityRequirements: [],
    defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [], signatures: [], iconUrl: '',
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) =>
      ({ url, protocolBinding: 'JSONRPC', protocolVersion, tenant: '' })) };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Executor());
  app.get('/executed', (_req, res) => res.json({ executed }));
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler, legacyCompat: { enabled: true } }));
  app.use('/a2a', jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } }));
  console.log(JSON.stringify({ port }));
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
