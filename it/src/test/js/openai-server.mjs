// A small server that speaks the OpenAI API: chat completions and responses, streamed and not, text and tool calls. What it
// answers follows from the first word of the last user message. Prints {"port"}; ends when its standard input closes.
import express from 'express';
import { once } from 'node:events';

const FACT = 'The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3 millimetres';
const GOOD = `${FACT} [Chunk c1].`;
const BAD = 'Our friendly specialists generally recommend whatever feels right for everybody concerned.';
const REFUSAL = 'I cannot help with that.';
const TOOL = { name: 'look_up', arguments: '{"part":"impeller","hours":2000}' };
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const token = (one) => ({ token: one, logprob: -0.1, bytes: [...Buffer.from(one)], top_logprobs: [{ token: one, logprob: -0.1, bytes: null },
  { token: 'never', logprob: -9, bytes: null }] });
const pieces = (text) => text.split(/(?<= )/);
const textOf = (content) => (typeof content === 'string' ? content : content.map((part) => part.text ?? '').join(''));
const app = express().use(express.json());

function wordOf(messages) {
  // Asked again, whatever with, it stays as it is.
  if (messages.some((one) => one.role === 'user' && textOf(one.content).startsWith('bad'))) return 'bad';
  const last = messages.at(-1);
  // After a tool has answered, what it said is what is told.
  if (last.role === 'tool' || last.type === 'function_call_output') return 'good';
  return textOf(last.content).split(/\W/)[0];
}

function events(res) {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  return (data, event) => res.write(`${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
}

app.use('/v1', (req, res, next) => (req.headers.authorization === 'Bearer key-of-the-test' ? next()
  : res.status(401).json({ error: { message: 'Incorrect API key provided', type: 'invalid_request_error', param: null, code: 'invalid_api_key' } })));

app.post('/v1/chat/completions', (req, res) => {
  const { model, messages, stream, stream_options: options, n = 1, logprobs } = req.body;
  const word = wordOf(messages);
  const head = { id: 'chatcmpl-1', created: 1_790_000_000, model };
  if (word === 'unknown') {
    res.status(404).json({ error: { message: 'The model does not exist', type: 'invalid_request_error', param: null, code: 'model_not_found' } });
    return;
  }
  const tool = word === 'tool';
  const declined = word === 'declined';
  const text = word === 'bad' ? BAD : GOOD;
  const calls = [{ id: 'call-1', type: 'function', function: TOOL }];
  const all = [...Array(n).keys()];
  const probable = (said) => (logprobs ? { content: said.map(token), refusal: null } : null);
  if (!stream) {
    const message = { role: 'assistant', content: tool || declined ? null : text, refusal: declined ? REFUSAL : null, ...(tool && { tool_calls: calls }) };
    res.json({ ...head, object: 'chat.completion', usage, choices: all.map((index) => ({ index, message, logprobs: probable(pieces(text)),
      finish_reason: tool ? 'tool_calls' : 'stop' })) });
    return;
  }
  const send = events(res);
  const chunk = (delta, finish_reason = null, said = []) => all.forEach((index) =>
    send({ ...head, object: 'chat.completion.chunk', choices: [{ index, delta, logprobs: said.length ? probable(said) : null, finish_reason }] }));
  chunk({ role: 'assistant', content: tool || declined ? null : '', refusal: null });
  if (word === 'overloaded') {
    send({ error: { message: 'The server is overloaded', type: 'server_error', param: null, code: 'overloaded' } });
    res.end();
    return;
  }
  if (declined) {
    for (const piece of pieces(REFUSAL)) chunk({ refusal: piece });
  } else if (tool) {
    chunk({ tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: { name: TOOL.name, arguments: '' } }] });
    for (const piece of TOOL.arguments.match(/.{1,8}/g)) chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
  } else {
    for (const piece of pieces(text)) chunk({ content: piece }, null, [piece]);
  }
  chunk({}, tool ? 'tool_calls' : 'stop');
  if (options?.include_usage) send({ ...head, object: 'chat.completion.chunk', choices: [], usage });
  send('[DONE]');
  res.end();
});

app.post('/v1/completions', (req, res) => {
  const { model, prompt, stream, stream_options: options, n = 1, logprobs } = req.body;
  const text = prompt.includes('bad ') ? BAD : GOOD;
  const head = { id: 'cmpl-1', object: 'text_completion', created: 1_790_000_000, model };
  const all = [...Array(n).keys()];
  const probable = (said) => (logprobs ? { tokens: said, token_logprobs: said.map(() => -0.1),
    top_logprobs: said.map((one) => ({ [one]: -0.1, never: -9 })), text_offset: said.map((_one, i) => said.slice(0, i).join('').length) } : null);
  const choice = (index, said, finish_reason) => ({ index, text: said.join(''), logprobs: probable(said), finish_reason });
  if (!stream) {
    res.json({ ...head, usage, choices: all.map((index) => choice(index, pieces(text), 'stop')) });
    return;
  }
  const send = events(res);
  for (const piece of pieces(text)) send({ ...head, choices: [choice(0, [piece], null)] });
  send({ ...head, choices: [choice(0, [], 'stop')] });
  if (options?.include_usage) send({ ...head, choices: [], usage });
  send('[DONE]');
  res.end();
});

app.post('/v1/responses', (req, res) => {
  const { model, input, stream } = req.body;
  const word = wordOf(typeof input === 'string' ? [{ role: 'user', content: input }] : input);
  const tool = word === 'tool';
  const text = word === 'bad' ? BAD : GOOD;
  const declined = word === 'declined';
  const annotations = word === 'filed' ? [{ type: 'file_citation', index: 10, file_id: 'file-7', filename: 'impeller.pdf' }] : [];
  const content = declined ? { type: 'refusal', refusal: REFUSAL } : { type: 'output_text', text, annotations, logprobs: [] };
  const item = tool
    ? { id: 'fc-1', type: 'function_call', status: 'completed', call_id: 'call-1', ...TOOL }
    : { id: 'msg-1', type: 'message', status: 'completed', role: 'assistant', content: [content] };
  const response = (status, output) => ({ id: 'resp-1', object: 'response', created_at: 1_790_000_000, status, model, output, error: null,
    incomplete_details: null, instructions: null, metadata: {}, parallel_tool_calls: true, temperature: 1, tool_choice: 'auto', tools: [],
    top_p: 1, ...(status === 'completed' && { usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 } }) });
  if (!stream) {
    res.json(response('completed', [item]));
    return;
  }
  const send = events(res);
  let sequence_number = 0;
  const event = (type, members) => send({ type, sequence_number: sequence_number++, ...members }, type);
  event('response.created', { response: response('in_progress', []) });
  event('response.in_progress', { response: response('in_progress', []) });
  const place = { output_index: 0, item_id: item.id };
  if (tool) {
    event('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', arguments: '' } });
    for (const delta of TOOL.arguments.match(/.{1,8}/g)) event('response.function_call_arguments.delta', { ...place, delta });
    event('response.function_call_arguments.done', { ...place, name: TOOL.name, arguments: TOOL.arguments });
  } else {
    const at = { ...place, content_index: 0 };
    event('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } });
    event('response.content_part.added', { ...at, part: declined ? { ...content, refusal: '' } : { ...content, text: '', annotations: [] } });
    if (declined) {
      for (const delta of pieces(REFUSAL)) event('response.refusal.delta', { ...at, delta });
      event('response.refusal.done', { ...at, refusal: REFUSAL });
    } else {
      for (const delta of pieces(text)) event('response.output_text.delta', { ...at, delta, logprobs: [] });
      annotations.forEach((annotation, annotation_index) => event('response.output_text.annotation.added', { ...at, annotation_index, annotation }));
      event('response.output_text.done', { ...at, text, logprobs: [] });
    }
    event('response.content_part.done', { ...at, part: item.content[0] });
  }
  event('response.output_item.done', { output_index: 0, item });
  event('response.completed', { response: response('completed', [item]) });
  res.end();
});

app.get('/v1/models', (_req, res) => res.json({ object: 'list', data: [{ id: 'm', object: 'model', created: 1, owned_by: 'test' }] }));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
