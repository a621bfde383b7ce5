// An A2A agent on @a2a-js/sdk that knows one page of a pump's manual. What it finds there it says with the passage beside it; asked for
// anything else it makes something up, as a model might.
import express from 'express';
import { randomUUID } from 'node:crypto';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';

const EVIDENCE = 'https://w3id.org/parlance/ext/evidence/v1';
const MANUAL = [
  { id: 'c1', text: 'The impeller must be replaced every 2000 operating hours.' },
  { id: 'c2', text: 'The inlet strainer is cleaned after 200 operating hours with citric acid at five percent.' },
];
const port = Number(process.env.PORT ?? 8080);

function answer(question) {
  const words = question.toLowerCase().match(/\w{5,}/g) ?? [];
  const found = MANUAL.find((chunk) => words.some((word) => chunk.text.toLowerCase().includes(word)));
  return found
    ? `${found.text.slice(0, -1)} [Chunk ${found.id}].`
    : 'Our friendly specialists generally cover whatever feels right for everybody concerned.';
}

class Executor {
  async execute(context, bus) {
    // only what the user asked: behind it, a sidecar that asks again says what was missing, with the passages
    const question = context.userMessage.parts[0].content?.value ?? '';
    bus.publish({ kind: 'message', data: {
      messageId: randomUUID(), contextId: context.contextId, taskId: '', role: 2, extensions: [EVIDENCE], referenceTaskIds: [],
      parts: [{ content: { $case: 'text', value: answer(question) }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
      // what the answer rests on: the texts that were found for it
      metadata: { [EVIDENCE]: { context: MANUAL } },
    } });
    bus.finished();
  }
  async cancelTask() {}
}

const card = {
  name: 'pump manual', description: 'Knows a page about a pump.', version: '1', provider: undefined, documentationUrl: '', iconUrl: '',
  capabilities: { streaming: false, pushNotifications: false, extensions: [] }, securitySchemes: {}, securityRequirements: [],
  defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [], signatures: [],
  supportedInterfaces: [{ url: `http://127.0.0.1:${port}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
};
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Executor());
const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
app.listen(port, process.env.HOST ?? '127.0.0.1', () => console.log(`listening on ${port}`));
