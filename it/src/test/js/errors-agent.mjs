// An agent that fails in the way that a request names: A2A over JSON-RPC and HTTP+JSON, MCP, and the OpenAI API. Prints {"port"};
// ends when its standard input closes.
import { createServer } from 'node:http';

const long = 'The prompt is longer than this model can read at once. '.repeat(120);
const json = (res, status, body, more = {}) => res.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(JSON.stringify(body));

function protocol(path, body) {
  if (path.startsWith('/v1/chat')) {
    return { error: (message) => ({ error: { message, type: 'overloaded_error', param: null, code: 'busy' } }),
      piece: { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: 'The pump' }, finish_reason: null }] } };
  }
  const artifact = { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'The pump' }] } } };
  if (path.startsWith('/rest')) {
    return { error: (message) => ({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message, details: [] } }), piece: artifact };
  }
  const envelope = { jsonrpc: '2.0', id: body.id ?? null };
  return { error: (message) => ({ ...envelope, error: { code: -32055, message } }), piece: { ...envelope, result: artifact } };
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
    const { error, piece } = protocol(req.url, body);
    const way = /way-(\w+)/.exec(text)?.[1];
    const stream = () => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`data: ${JSON.stringify(piece)}\n\n`);
    if (way === 'busy') json(res, 429, error('Slow down'), { 'Retry-After': '3' });
    else if (way === 'long') json(res, 400, error(long));
    else if (way === 'page') res.writeHead(503, { 'Content-Type': 'text/html', 'Retry-After': '3' }).end('<h1>away</h1>');
    else if (way === 'lost') res.writeHead(404, { 'Content-Type': 'application/json' }).end('session not found');
    else if (way === 'rpc') json(res, 200, error('It broke'));
    else if (way === 'event') { stream(); res.end(`${req.url.startsWith('/rest') ? 'event: error\n' : ''}data: ${JSON.stringify(error('Overloaded'))}\n\n`); }
    else { stream(); setTimeout(() => res.destroy(), 50); }
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`));
process.stdin.resume().on('end', () => process.exit(0));
