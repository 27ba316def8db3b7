import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPlainCommand } from '../shared/cli/command-line';
import { type CommandCalls, deployerPolicy, executionPolicy, operatorPolicy } from './policies/policy-document';

const ROOT = join(__dirname, '..');

runPlainCommand(
  {
    usage: 'npm run policies',
    about: 'Writes docs/policies from the recorded calls of the command lines and the resource types of the templates.',
    next: 'commit what changed.',
  },
  () => {
    const calls = JSON.parse(readFileSync(join(__dirname, 'policies/command-calls.json'), 'utf8')) as CommandCalls;
    const all = { deployer: deployerPolicy(calls), execution: executionPolicy(), operator: operatorPolicy(calls) };
    for (const [name, policy] of Object.entries(all)) {
      writeFileSync(join(ROOT, 'docs/policies', `${name}.json`), `${JSON.stringify(policy, undefined, 2)}\n`);
    }
    spawnSync('npx', ['biome', 'format', '--write', 'docs/policies'], { cwd: ROOT, stdio: 'inherit' });
  },
);
