import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProblem } from './node-version';

const { engines } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
const problem = nodeProblem(process.version, engines.node);
if (problem) {
  console.error(problem);
  process.exit(1);
}

// Only now: an older Node fails on the first line that it does not understand, with an error that says something else.
void (async () => {
  const { greet, runUntilStopped } = await import('./greeting');
  const { localOptions } = await import('./local-options');
  await runUntilStopped(() => localOptions(process.argv.slice(2)), greet);
})();
