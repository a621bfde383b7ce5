// A small server that speaks the OpenAI API: chat completions and responses, streamed and not, text and tool calls. What it
// answers follows from the first word of the last user message. Prints {"port"}; ends when its standard input closes.
import express from 'express';
import { once } from 'node:events';

const FACT = 'The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3 millimetres';
const GOOD = `${FACT} [Chunk c1].`;
const BAD = 'Our friendly specialists generally recommend whatever feels right for everybody concerned.';
const TOOL = { name: 'look_up', arguments: '{"part":"impeller","hours":2000}' };
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
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
  const { model, messages, stream, stream_options: options } = req.body;
  const word = wordOf(messages);
  const head = { id: 'chatcmpl-1', created: 1_790_000_000, model };
  if (word === 'unknown') {
    res.status(404).json({ error: { message: 'The model does not exist', type: 'invalid_request_error', param: null, code: 'model_not_found' } });
    return;
  }
  const tool = word === 'tool';
  const text = word === 'bad' ? BAD : GOOD;
  const calls = [{ id: 'call-1', type: 'function', function: TOOL }];
  if (!stream) {
    res.json({ ...head, object: 'chat.completion', usage, choices: [{ index: 0, logprobs: null, finish_reason: tool ? 'tool_calls' : 'stop',
      message: { role: 'assistant', content: tool ? null : text, refusal: null, ...(tool && { tool_calls: calls }) } }] });
    return;
  }
  const send = events(res);
  const chunk = (delta, finish_reason = null) =>
    send({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  chunk({ role: 'assistant', content: tool ? null : '' });
  if (tool) {
    chunk({ tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: { name: TOOL.name, arguments: '' } }] });
    for (const piece of TOOL.arguments.match(/.{1,8}/g)) chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
  } else {
    for (const piece of pieces(text)) chunk({ content: piece });
  }
  chunk({}, tool ? 'tool_calls' : 'stop');
  if (options?.include_usage) send({ ...head, object: 'chat.completion.chunk', choices: [], usage });
  send('[DONE]');
  res.end();
});

app.post('/v1/responses', (req, res) => {
  const { model, input, stream } = req.body;
  const word = wordOf(typeof input === 'string' ? [{ role: 'user', content: input }] : input);
  const tool = word === 'tool';
  const text = word === 'bad' ? BAD : GOOD;
  const item = tool
    ? { id: 'fc-1', type: 'function_call', status: 'completed', call_id: 'call-1', ...TOOL }
    : { id: 'msg-1', type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text, annotations: [], logprobs: [] }] };
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
    event('response.content_part.added', { ...at, part: { ...item.content[0], text: '' } });
    for (const delta of pieces(text)) event('response.output_text.delta', { ...at, delta, logprobs: [] });
    event('response.output_text.done', { ...at, text, logprobs: [] });
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
