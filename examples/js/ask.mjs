// Asks an agent one question: node ask.mjs http://127.0.0.1:15006 "When must the impeller be replaced?"
// If the answer is held for a person, it waits for the decision.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientFactory } from '@a2a-js/sdk/client';

const [base, question] = process.argv.slice(2);
const WORKING = 2;
const textOf = (parts = []) => parts.map((part) => part.content?.value ?? '').join('\n');
const client = await new ClientFactory().createFromUrl(base);
let result = await client.sendMessage({ tenant: '', metadata: undefined, configuration: undefined, message: {
  messageId: randomUUID(), contextId: '', taskId: '', role: 1, metadata: undefined, extensions: [], referenceTaskIds: [],
  parts: [{ content: { $case: 'text', value: question }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
} });
if (result.status?.state === WORKING) {
  console.log('held for a person; waiting for the decision');
  while (result.status.state === WORKING) {
    await sleep(500);
    result = await client.getTask({ tenant: '', id: result.id, historyLength: undefined });
  }
}
console.log(textOf(result.parts ?? result.artifacts?.[0]?.parts ?? result.status?.message?.parts));
