// A client on the official SDK for the client side of the MCP conformance suite, which asks for it once for each scenario
// (mcp-suite.mjs). It does what an agent would do: it connects, signs in where it must, lists what there is, and calls each tool.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { setTimeout as sleep } from 'node:timers/promises';

/** Signs in without a browser: the authorization server of the suite sends straight back. */
class SignIn {
  redirectUrl = 'http://localhost:3000/callback';
  clientMetadata = { client_name: 'parlance-it', redirect_uris: [this.redirectUrl], grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'], token_endpoint_auth_method: 'client_secret_post', application_type: 'native' };
  clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';
  constructor({ client_id, client_secret }) { this.known = client_id && { client_id, client_secret }; }
  clientInformation() { return this.known; }
  saveClientInformation(known) { this.known = known; }
  tokens() { return this.held; }
  saveTokens(held) { this.held = held; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
  invalidateCredentials() { this.held = undefined; }
  async redirectToAuthorization(to) {
    const answer = await fetch(to, { redirect: 'manual' });
    this.back = new URL(answer.headers.get('location')).searchParams;
  }
}

const value = (schema) => ({ number: 5, integer: 5, boolean: true, string: 'text', array: [], object: {} })[schema.type] ?? null;
const given = (tool) => Object.fromEntries((tool.inputSchema.required ?? [])
  .map((name) => [name, value(tool.inputSchema.properties[name])]));

/**
 * What the suite's environment asks for, at the server's address; it ends when the client has nothing more to say.
 */
export async function run(url, { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
  MCP_CONFORMANCE_CONTEXT }, say) {
  const context = JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}');
  const signIn = new SignIn(context);
  let transport;
  /** As often as the specification allows in all: once for the token, twice for more scope. */
  let left = 2;
  async function signedIn(what) {
    for (;;) {
      try {
        return await what();
      } catch (e) {
        if (!(e instanceof UnauthorizedError) || !signIn.back || left-- === 0) throw e;
        const back = signIn.back;
        signIn.back = undefined;
        await transport.finishAuth(back);
      }
    }
  }

  let client;
  async function connect() {
    client = new Client({ name: 'parlance-it', version: '1.0.0' }, {
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
      versionNegotiation: { mode: revision === '2026-07-28' ? 'auto' : 'legacy' } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
    client.setRequestHandler('sampling/createMessage', () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello.' } }));
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: scenario.startsWith('auth/') ? signIn : undefined });
    await client.connect(transport);
  }

  await signedIn(connect);
  const { tools } = await signedIn(() => client.listTools());
  const calls = context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: given(tool) }));
  for (const call of calls) {
    try {
      await signedIn(() => client.callTool(call));
    } catch (e) {
      say(`${call.name}: ${e.message}\n`);
    }
  }
  for (const list of [() => client.listResources(), () => client.listPrompts()]) await list().catch(() => {});
  if (scenario === 'sse-retry') await sleep(1500);
  await client.close();
}
