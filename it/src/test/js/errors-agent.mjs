// An agent that fails in the way that a request names, or gives an answer that nothing carries ("bad"): A2A over JSON-RPC, HTTP+JSON
// and gRPC, MCP, and the OpenAI API. Prints {"port", "grpcPort"}; ends when its standard input closes.
import grpc from '@grpc/grpc-js';
import { createServer } from 'node:http';

const long = 'The prompt is longer than this model can read at once. '.repeat(120);
const json = (res, status, body, more = {}) => res.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(JSON.stringify(body));
const fact = 'The lid is held by four screws.';
const gold = (tag) => `The belt of machine ${tag} is made of pure gold.`;
const evidence = { context: [{ id: 'c1', text: fact }] };

function protocol(path, body) {
  if (path.startsWith('/v1/chat')) {
    return { error: (message) => ({ error: { message, type: 'overloaded_error', param: null, code: 'busy' } }),
      piece: { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: 'The pump' }, finish_reason: null }] },
      bad: (text) => ({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] }) };
  }
  const artifact = { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'The pump' }] } } };
  const answer = (text) => ({ message: { role: 'ROLE_AGENT', messageId: 'a', parts: [{ text }], metadata: { 'https://w3id.org/parlance/ext/evidence/v1': evidence } } });
  if (path.startsWith('/rest')) {
    return { error: (message) => ({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message, details: [] } }), piece: artifact, bad: answer };
  }
  const envelope = { jsonrpc: '2.0', id: body.id ?? null };
  const tool = (text) => ({ content: [{ type: 'text', text }], _meta: { 'org.w3id.parlance/evidence': evidence } });
  return { error: (message) => ({ ...envelope, error: { code: -32055, message } }), piece: { ...envelope, result: artifact },
    bad: (text) => ({ ...envelope, result: path.startsWith('/mcp') ? tool(text) : answer(text) }) };
}

const server = createServer(async (req, res) => {
  let text = '';
  for await (const part of req) text += part;
  const body = text ? JSON.parse(text) : {};
  if (body.method === 'initialize') {
    json(res, 200, { jsonrpc: '2.0', id: body.id, result: { protocolVersion: body.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } } });
  } else if (body.method?.startsWith('notifications/')) {
    res.writeHead(202).end();
  } else if (req.method === 'GET') {
    res.writeHead(405).end();
  } else {
    const { error, piece, bad } = protocol(req.url, body);
    const [, way, tag] = /way-([a-z]+)(\d*)/.exec(text) ?? [];
    const stream = () => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`data: ${JSON.stringify(piece)}\n\n`);
    if (way === 'busy') json(res, 429, error('Slow down'), { 'Retry-After': '3' });
    else if (way === 'long') json(res, 400, error(long));
    else if (way === 'page') res.writeHead(503, { 'Content-Type': 'text/html', 'Retry-After': '3' }).end('<h1>away</h1>');
    else if (way === 'lost') res.writeHead(404, { 'Content-Type': 'application/json' }).end('session not found');
    else if (way === 'rpc') json(res, 200, error('It broke'));
    else if (way === 'bad') json(res, 200, bad(gold(tag)));
    else if (way === 'event') { stream(); res.end(`${req.url.startsWith('/rest') ? 'event: error\n' : ''}data: ${JSON.stringify(error('Overloaded'))}\n\n`); }
    else { stream(); setTimeout(() => res.destroy(), 50); }
  }
});

// Protobuf by hand: fields of texts and messages.
const field = (number, value) => {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value);
  const length = [];
  for (let n = bytes.length; ; n >>= 7) {
    length.push(n > 127 ? (n & 127) | 128 : n);
    if (n <= 127) break;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
};
const all = (...fields) => Buffer.concat(fields);
const piece = field(4, all(field(1, 't'), field(2, 'c'), field(3, all(field(1, 'a'), field(4, field(1, 'The pump'))))));
const text = (value) => field(3, value);
const chunk = field(5, all(field(1, all(field(1, 'id'), field(2, text('c1')))), field(1, all(field(1, 'text'), field(2, text(fact))))));
const declared = field(5, field(1, all(field(1, 'context'), field(2, field(6, field(1, chunk))))));
const metadata = field(1, all(field(1, 'https://w3id.org/parlance/ext/evidence/v1'), field(2, declared)));
const message = (value) => field(2, all(field(1, 'a'), Buffer.from([4 << 3, 2]), field(5, field(1, value)), field(6, metadata)));
const raw = { requestSerialize: (b) => b, requestDeserialize: (b) => b, responseSerialize: (b) => b, responseDeserialize: (b) => b };
const failure = (way) => ({ code: 8, details: way === 'long' ? long : way === 'event' ? 'Overloaded' : 'Slow down' });
const overGrpc = new grpc.Server();
overGrpc.addService({
  send: { path: '/lf.a2a.v1.A2AService/SendMessage', requestStream: false, responseStream: false, ...raw },
  stream: { path: '/lf.a2a.v1.A2AService/SendStreamingMessage', requestStream: false, responseStream: true, ...raw },
}, {
  send(call, done) {
    const [, way, tag] = /way-([a-z]+)(\d*)/.exec(call.request.toString('latin1'));
    if (way === 'bad') done(null, message(gold(tag)));
    else done(failure(way));
  },
  stream(call) {
    call.write(piece);
    call.emit('error', failure('event'));
  },
});
overGrpc.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_, grpcPort) => {
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port, grpcPort })}\n`));
});
process.stdin.resume().on('end', () => process.exit(0));
