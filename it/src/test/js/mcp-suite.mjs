// Client scenarios of the MCP conformance suite one after the other in one process, its clients too: what costs most of one is to
// start the suite, and the SDK. Arguments: the scenarios, with commas between; the port of an outbound sidecar, or 0 for none; then
// the command line of the suite for each, to which the scenario is added.
import { Command } from 'commander';
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { Agent, ProxyAgent, setGlobalDispatcher } from 'undici';
import { run } from './mcp-client.mjs';

const [scenarios, proxy, ...line] = process.argv.slice(2);

// the suite starts a process for its client; it gets one that has its own connections, as a process has
childProcess.spawn = (_, args, { env }) => {
  const child = Object.assign(new EventEmitter(), { stdout: new EventEmitter(), stderr: new EventEmitter(),
    kill() { child.emit('close', 1); } });
  const say = (text) => child.stderr.emit('data', text);
  const connections = proxy === '0' ? new Agent()
    : new ProxyAgent({ uri: `http://127.0.0.1:${proxy}`, proxyTunnel: false });
  setGlobalDispatcher(connections);
  run(args.at(-1), env, say)
    .then(() => 0, (e) => (say(`${e.stack}\n`), 1))
    .then((status) => connections.destroy().then(() => child.emit('close', status)));
  return child;
};
syncBuiltinESMExports();

let suite;
Command.prototype.parse = function () {
  suite = this;
  return this;
};
// the suite ends its process after each
const ENDED = new Error('ended');
const end = process.exit;
process.exit = () => { throw ENDED; };
await import('./node_modules/@modelcontextprotocol/conformance/dist/index.js');
for (const scenario of scenarios.split(',')) {
  try {
    await suite.parseAsync([process.argv[0], process.argv[1], ...line, '--scenario', scenario]);
  } catch (e) {
    if (e !== ENDED) throw e;
  }
}
end(0);
