// Client scenarios of the MCP conformance suite one after the other in one process: what costs most of one is to start the suite.
// Arguments: the scenarios, with commas between; then the command line of the suite for each, to which the scenario is added.
import { Command } from 'commander';

const [scenarios, ...line] = process.argv.slice(2);
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
