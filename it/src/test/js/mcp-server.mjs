// A reference server on the official SDK, for both revisions of MCP: 2026-07-28 without sessions, and 2025-11-25 with sessions,
// resumable streams and requests of its own. It has the tools, prompts and resources that the conformance suite asks for.
// Prints {"port"} once it listens; ends when its standard input closes.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer, ResourceTemplate, ResourceNotFoundError, acceptedContent, completable, createMcpHandler, createRequestStateCodec,
  fromJsonSchema, inputRequired, inputResponse, isLegacyRequest } from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport, localhostHostValidation, localhostOriginValidation, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
console.log = console.info = console.debug = console.error;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const states = createRequestStateCodec({ key: randomBytes(32), ttlSeconds: 60 });
const object = (properties = {}, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const schema = (json) => fromJsonSchema(json);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const elicit = (message, properties) => inputRequired.elicit({ message, requestedSchema: object(properties) });
const name = { name: { type: 'string' } };
const accepted = (ctx, key, properties) => acceptedContent(ctx.mcpReq.inputResponses, key, schema(object(properties)));
const first = (sampled) => (Array.isArray(sampled.content) ? sampled.content[0] : sampled.content).text;
const ask = (prompt, maxTokens) =>
  ({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens });

/** JSON Schema as the suite wants it listed word for word; what is checked of arguments is only that they are an object. */
const verbatim = (listed) => ({ '~standard': { version: 1, vendor: 'parlance-it', validate: (value) => ({ value }),
  jsonSchema: { input: () => listed, output: () => listed } } });

function tools(server) {
  const tool = (id, description, run, inputSchema = schema(object())) => server.registerTool(id, { description, inputSchema }, run);
  tool('test_simple_text', 'One text.', () => text('This is a simple text response for testing.'));
  tool('test_image_content', 'One image.', () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }));
  tool('test_audio_content', 'One sound.', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  tool('test_embedded_resource', 'One resource.', () => ({ content: [{ type: 'resource',
    resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' } }] }));
  tool('test_multiple_content_types', 'Of everything something.', () => ({ content: [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', data: PNG, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' } },
  ] }));
  tool('test_error_handling', 'Always fails.', () => { throw new Error('This tool intentionally returns an error for testing'); });
  tool('test_tool_with_logging', 'Logs while it works.', async (_args, ctx) => {
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', step);
      await sleep(50);
    }
    return text('Logged three times.');
  });
  tool('test_tool_with_progress', 'Says how far it is.', async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await sleep(50);
    }
    return text('Done in three steps.');
  });
  tool('test_reconnection', 'Closes its stream half way.', async (_args, ctx) => {
    ctx.http?.closeSSE?.();
    await sleep(100);
    return text('Read on the second stream.');
  });
  tool('test_sampling', 'Asks the model of the client.', async ({ prompt }, ctx) =>
    text(`LLM response: ${first(await ctx.mcpReq.requestSampling(ask(prompt, 100)))}`), schema(object({ prompt: { type: 'string' } })));
  tool('test_elicitation', 'Asks the user of the client.', async ({ message }, ctx) => {
    const said = await ctx.mcpReq.elicitInput({ message, requestedSchema: object({
      username: { type: 'string', description: "User's response" }, email: { type: 'string', description: "User's email address" } }) });
    return text(`User response: action=${said.action}, content=${JSON.stringify(said.content ?? {})}`);
  }, schema(object({ message: { type: 'string' } })));
  const form = (id, message, properties) => tool(id, message, async (_args, ctx) => {
    const said = await ctx.mcpReq.elicitInput({ message, requestedSchema: object(properties, []) });
    return text(`Elicitation completed: action=${said.action}, content=${JSON.stringify(said.content ?? {})}`);
  });
  form('test_elicitation_sep1034_defaults', 'A form with defaults.', {
    name: { type: 'string', default: 'John Doe' }, age: { type: 'integer', default: 30 }, score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' }, verified: { type: 'boolean', default: true } });
  const options = ['option1', 'option2', 'option3'];
  const titled = (word) => [1, 2, 3].map((at) => ({ const: `value${at}`, title: `${['First', 'Second', 'Third'][at - 1]} ${word}` }));
  form('test_elicitation_sep1330_enums', 'A form with choices.', {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } } });
  tool('json_schema_2020_12_tool', 'Has a schema with everything.', () => text('Valid.'), verbatim({
    $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object',
    $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] }, phone: { type: 'string' }, email: { type: 'string' } },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] }, else: { required: ['email'] }, additionalProperties: false }));
  tool('test_header_parameter', 'Has an argument that is mirrored into a field.', ({ region }) => text(`In ${region}.`),
    verbatim(object({ region: { type: 'string', 'x-mcp-header': 'Region' } })));
}

/** Tools that ask back by what they return (2026-07-28). */
function asking(server) {
  const tool = (id, run) => server.registerTool(id, { description: 'Asks back.', inputSchema: schema(object()) }, (_args, ctx) => run(ctx));
  const key = 'test_input_required_result_';
  tool(`${key}elicitation`, (ctx) => {
    const user = accepted(ctx, 'user_name', name);
    return user ? text(`Hello, ${user.name}!`) : inputRequired({ inputRequests: { user_name: elicit('What is your name?', name) } });
  });
  tool(`${key}sampling`, (ctx) => {
    const view = inputResponse(ctx.mcpReq.inputResponses, 'capital_question');
    return view.kind === 'sampling' ? text(first(view.result))
      : inputRequired({ inputRequests: { capital_question: inputRequired.createMessage(ask('What is the capital of France?', 100)) } });
  });
  tool('test_missing_capability', (ctx) => {
    const view = inputResponse(ctx.mcpReq.inputResponses, 'needed');
    return view.kind === 'sampling' ? text(first(view.result))
      : inputRequired({ inputRequests: { needed: inputRequired.createMessage(ask('Anything', 10)) } });
  });
  tool(`${key}list_roots`, (ctx) => {
    const view = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
    return view.kind === 'roots' ? text(`Roots: ${view.roots.map((root) => root.uri).join(', ')}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  const ok = { ok: { type: 'boolean' } };
  const confirmed = async (ctx) => (accepted(ctx, 'confirm', ok) && ctx.mcpReq.requestState()?.step === 'asked' ? text('state-ok')
    : inputRequired({ inputRequests: { confirm: elicit('Please confirm', ok) }, requestState: await states.mint({ step: 'asked' }) }));
  tool(`${key}request_state`, confirmed);
  tool(`${key}tampered_state`, confirmed);
  tool(`${key}multiple_inputs`, async (ctx) => {
    const user = accepted(ctx, 'user_name', name);
    const greeting = inputResponse(ctx.mcpReq.inputResponses, 'greeting');
    const roots = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
    if (user && greeting.kind === 'sampling' && roots.kind === 'roots') return text(`${first(greeting.result)}, ${user.name}`);
    return inputRequired({ requestState: await states.mint({ step: 'asked' }), inputRequests: {
      user_name: elicit('What is your name?', name),
      greeting: inputRequired.createMessage(ask('Generate a greeting', 50)), client_roots: inputRequired.listRoots() } });
  });
  const color = { color: { type: 'string' } };
  tool(`${key}multi_round`, async (ctx) => {
    const state = ctx.mcpReq.requestState();
    if (state?.step === 'named') {
      const chosen = accepted(ctx, 'step2', color);
      if (chosen) return text(`${state.name} likes ${chosen.color}.`);
    }
    const user = state?.step === 'named' ? state : accepted(ctx, 'step1', name);
    return user
      ? inputRequired({ inputRequests: { step2: elicit('Step 2: What is your favorite color?', color) },
        requestState: await states.mint({ step: 'named', name: user.name }) })
      : inputRequired({ inputRequests: { step1: elicit('Step 1: What is your name?', name) }, requestState: await states.mint({ step: 'new' }) });
  });
  // Only what the client has declared is asked for.
  tool(`${key}capabilities`, () => {
    const { elicitation, sampling } = server.server.getClientCapabilities() ?? {};
    return inputRequired({ inputRequests: {
      ...(elicitation && { user_name: elicit('What is your name?', name) }),
      ...(sampling && { greeting: inputRequired.createMessage(ask('Generate a greeting', 50)) }) } });
  });
  tool('test_streaming_elicitation', async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    }
    return inputRequired({ inputRequests: { user_name: elicit('What is your name?', name) } });
  });
  tool('test_logging_tool', async (ctx) => {
    await ctx.mcpReq.log('info', 'Nobody may have asked for this.');
    return text('Logged, if that was wanted.');
  });
  const context = { context: { type: 'string' } };
  server.registerPrompt(`${key}prompt`, { description: 'Asks back.' }, (ctx) => {
    const said = accepted(ctx, 'user_context', context);
    return said ? { messages: [{ role: 'user', content: { type: 'text', text: `In the context of ${said.context}` } }] }
      : inputRequired({ inputRequests: { user_context: elicit('What context should the prompt use?', context) } });
  });
}

function resources(server) {
  const one = (uri, mimeType, content) => server.registerResource(uri.slice('test://'.length), uri, { description: 'For tests.', mimeType },
    () => ({ contents: [{ uri, mimeType, ...content }] }));
  one('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  one('test://static-binary', 'image/png', { blob: PNG });
  one('test://watched-resource', 'text/plain', { text: 'Nothing has changed yet.' });
  server.registerResource('template', new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'For tests.', mimeType: 'application/json' },
    (uri, { id }) => ({ contents: [{ uri: uri.href, mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }] }));
}

function prompts(server) {
  const user = (content) => ({ role: 'user', content });
  const words = (value) => user({ type: 'text', text: value });
  const prompt = (id, argsSchema, messages) => server.registerPrompt(id, { description: 'For tests.', ...(argsSchema && { argsSchema }) }, messages);
  prompt('test_simple_prompt', undefined, () => ({ messages: [words('This is a simple prompt for testing.')] }));
  const two = object({ arg1: { type: 'string', description: 'First test argument' }, arg2: { type: 'string', description: 'Second test argument' } });
  prompt('test_prompt_with_arguments', schema(two), ({ arg1, arg2 }) =>
    ({ messages: [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }));
  prompt('test_prompt_with_embedded_resource', schema(object({ resourceUri: { type: 'string', description: 'What to embed' } })), ({ resourceUri }) =>
    ({ messages: [user({ type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } }),
      words('Please process the embedded resource above.')] }));
  prompt('test_prompt_with_image', undefined, () =>
    ({ messages: [user({ type: 'image', data: PNG, mimeType: 'image/png' }), words('Please analyze the image above.')] }));
}

function build({ era }) {
  const server = new McpServer({ name: 'reference', version: '1.0.0' }, {
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true },
      logging: {}, completions: {} },
    requestState: { verify: states.verify } });
  tools(server);
  asking(server);
  resources(server);
  prompts(server);
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } }));
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', () => ({}));
    server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  }
  return server;
}

/** What has been sent on streams, so that a client can read on after a break. */
class Sent {
  #events = [];
  async storeEvent(streamId, message) {
    this.#events.push({ streamId, message });
    return String(this.#events.length - 1);
  }
  async replayEventsAfter(lastEventId, { send }) {
    const { streamId } = this.#events[Number(lastEventId)];
    for (let at = Number(lastEventId) + 1; at < this.#events.length; at++) {
      const { streamId: of, message } = this.#events[at];
      if (of === streamId && message.jsonrpc) await send(String(at), message);
    }
    return streamId;
  }
}

const modern = toNodeHandler(createMcpHandler(build, { legacy: 'reject' }));
const sessions = new Map();
/**
 * Sessions with a stream for what the server asks. The SDK throws away what it asks before that stream is there, and a client that
 * opens it and calls a tool at the same moment, on two connections, may be heard in either order, the more so through a proxy.
 */
const listening = new Map();
async function streamOf(session) {
  for (let waited = 0; waited < 1000 && !listening.get(session)?.headersSent; waited += 5) await sleep(5);
}
async function legacy(req, res, body) {
  const known = req.headers['mcp-session-id'];
  let transport = sessions.get(known);
  if (!transport) {
    if (known || body?.method !== 'initialize') {
      res.writeHead(known ? 404 : 400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', error: { code: known ? -32001 : -32000, message: 'no such session' }, id: null }));
      return;
    }
    transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, eventStore: new Sent(), retryInterval: 200,
      onsessioninitialized: (id) => sessions.set(id, transport), onsessionclosed: (id) => sessions.delete(id) && listening.delete(id) });
    await build({ era: 'legacy' }).connect(transport);
  }
  if (req.method === 'GET') listening.set(known, res);
  if (body?.method === 'tools/call') await streamOf(known);
  await transport.handleRequest(req, res, body);
}

const validHost = localhostHostValidation();
const validOrigin = localhostOriginValidation();
const http = createServer(async (req, res) => {
  if (!validHost(req, res) || !validOrigin(req, res)) return;
  const pieces = [];
  for await (const piece of req) pieces.push(piece);
  let body;
  try {
    body = pieces.length ? JSON.parse(Buffer.concat(pieces)) : undefined;
  } catch {
    res.writeHead(400, { 'Content-Type': 'application/json' })
      .end('{"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON"},"id":null}');
    return;
  }
  await ((await isLegacyRequest(await toWebRequest(req, body), body)) ? legacy : modern)(req, res, body);
}).listen(0, '127.0.0.1');
await once(http, 'listening');
say({ port: http.address().port });
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
