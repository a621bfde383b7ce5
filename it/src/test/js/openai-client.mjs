// The official OpenAI client, through whatever stands in between. Settings as one JSON argument: base, proxy (port of an outbound
// sidecar, 0: none), list (plain or refused), trace (a traceparent, may be empty). Prints one JSON line for each scenario.
import OpenAI from 'openai';
import { writeSync } from 'node:fs';
import { ProxyAgent, setGlobalDispatcher } from 'undici';

const { base, proxy, list, trace } = JSON.parse(process.argv[2]);
console.log = console.info = console.debug = console.error;
if (proxy) setGlobalDispatcher(new ProxyAgent({ uri: `http://127.0.0.1:${proxy}`, proxyTunnel: false }));
const make = (apiKey) => new OpenAI({ baseURL: `${base}/v1`, apiKey, maxRetries: 0, timeout: 5_000,
  defaultHeaders: trace ? { traceparent: trace } : {} });
const openai = make('key-of-the-test');
const model = 'm';
const source = 'Answer from this.\n[c1] The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3 millimetres.';
const messages = (word) => [{ role: 'system', content: source }, { role: 'user', content: `${word} When is the impeller replaced?` }];
const look = { name: 'look_up', description: 'Looks a part up.', parameters: { type: 'object', properties: { part: { type: 'string' } } } };
const tools = [{ type: 'function', function: look }];
const chat = (word, more) => openai.chat.completions.create({ model, messages: messages(word), ...more });
const complete = (word, more) => openai.completions.create({ model, prompt: `${source}\n${word} When is the impeller replaced?`, ...more });
const respond = (word, more) => openai.responses.create({ model, input: messages(word), ...more });
async function all(stream) {
  const seen = [];
  for await (const event of await stream) seen.push(event);
  return seen;
}
const withTool = [{ role: 'assistant', content: null, tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'look_up', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'call-1', content: source }];

const plain = {
  chat: () => chat('good'),
  'chat, streamed': () => all(chat('good', { stream: true })),
  'chat, streamed with usage': () => all(chat('good', { stream: true, stream_options: { include_usage: true } })),
  'chat, assembled by the client': () => openai.chat.completions.stream({ model, messages: messages('good') }).finalChatCompletion(),
  'chat with a tool call': () => chat('tool', { tools }),
  'chat with a tool call, streamed': () => all(chat('tool', { tools, stream: true })),
  'chat after a tool call': () => openai.chat.completions.create({ model, messages: [...messages('tool'), ...withTool] }),
  responses: () => respond('good'),
  'responses, streamed': () => all(respond('good', { stream: true })),
  'responses, assembled by the client': () => openai.responses.stream({ model, input: messages('good') }).finalResponse(),
  'responses with a tool call': () => respond('tool', { tools: [{ type: 'function', strict: false, ...look }] }),
  'responses with a tool call, streamed': () => all(respond('tool', { tools: [{ type: 'function', strict: false, ...look }], stream: true })),
  'error of the server': () => chat('unknown'),
  'error of the server, streamed': () => all(chat('unknown', { stream: true })),
  'wrong key': () => make('another').chat.completions.create({ model, messages: messages('good') }),
  'chat, the model refuses': () => chat('declined'),
  'chat, the model refuses, streamed': () => all(chat('declined', { stream: true })),
  'chat with logprobs': () => chat('good', { logprobs: true, top_logprobs: 2 }),
  'chat with logprobs, streamed with usage': () =>
    all(chat('good', { logprobs: true, top_logprobs: 2, stream: true, stream_options: { include_usage: true } })),
  'chat, two choices': () => chat('good', { n: 2 }),
  'chat, two choices, streamed': () => all(chat('good', { n: 2, stream: true })),
  'chat, two choices, assembled by the client': () =>
    openai.chat.completions.stream({ model, n: 2, messages: messages('good') }).finalChatCompletion(),
  'chat with a tool call, assembled by the client': () =>
    openai.chat.completions.stream({ model, tools, messages: messages('tool') }).finalChatCompletion(),
  completion: () => complete('good'),
  'completion with logprobs': () => complete('good', { logprobs: 2 }),
  'completion, two choices': () => complete('good', { n: 2 }),
  'completion, streamed with usage': () => all(complete('good', { stream: true, stream_options: { include_usage: true } })),
  'responses, the model refuses': () => respond('declined'),
  'responses, the model refuses, streamed': () => all(respond('declined', { stream: true })),
  'responses with annotations of files': () => respond('filed'),
  'responses with annotations of files, streamed': () => all(respond('filed', { stream: true })),
  'responses with annotations of files, assembled by the client': () =>
    openai.responses.stream({ model, input: messages('filed') }).finalResponse(),
  'error in a stream': () => all(chat('overloaded', { stream: true })),
  models: () => all(openai.models.list()),
};
const refused = {
  chat: () => chat('bad'),
  'chat, streamed': () => all(chat('bad', { stream: true })),
  'chat, assembled by the client': () => openai.chat.completions.stream({ model, messages: messages('bad') }).finalChatCompletion(),
  responses: () => respond('bad'),
  'responses, streamed': () => all(respond('bad', { stream: true })),
  'responses, assembled by the client': () => openai.responses.stream({ model, input: messages('bad') }).finalResponse(),
};

/** Without what a sidecar adds: the member asp, and the chunk without choices that carries only it. */
function normal(value) {
  if (Array.isArray(value)) {
    return value.filter((one) => !(one?.object === 'chat.completion.chunk' && one.asp && one.choices.length === 0)).map(normal);
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'asp').map(([name, one]) => [name, normal(one)]));
}

for (const [scenario, run] of Object.entries(list === 'plain' ? plain : refused)) {
  let result;
  try {
    result = normal(await run()) ?? null;
  } catch (e) {
    result = { error: e.constructor.name, status: e.status ?? null, code: e.code ?? null, message: e.message };
  }
  writeSync(1, `${JSON.stringify({ scenario, result })}\n`);
}
process.exit(0);
