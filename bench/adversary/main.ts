import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileIntelligence } from '../../lib/bundling/compile-intelligence';
import { type Given, numberOf, readCommandLine, runCommand, UsageError } from '../../shared/cli/command-line';
import { progressLine } from '../../shared/cli/progress-line';
import { markdownTable, textTable } from '../../shared/cli/text-table';
import { BASE_MODEL_FILE } from '../../shared/runtime/base-model-file';
import { INTELLIGENCE_FILE, loadIntelligence } from '../../shared/runtime/intelligence-file';
import { provenance, writeReport } from '../support/measurement';
import { falsePositives, faultsIn } from './bounds';
import { inProcess } from './in-process';
import { type RunResult, worstRun } from './outcome';
import { playAll } from './play-all';
import { broughtRows, honestRows, resultRows } from './report';
import { STRATEGIES } from './strategies';
import type { Strategy } from './strategy';

const ROOT = join(__dirname, '../..');

const OPTIONS = {
  people: { value: 'number', does: 'honest people alongside the attackers', default: '3000' },
  seed: { value: 'number', does: 'the same seed plays the same people and attackers', default: '1' },
  seeds: {
    value: 'number',
    does: 'play so many seeds from --seed on, and show the worst of each strategy',
    default: '1',
  },
  mix: { does: 'play only the thief who mixes all strategies, by what each has brought so far' },
  strategy: { value: 'name', does: 'play only this one; may be given several times', isList: true },
  report: {
    value: 'file',
    does: 'also write the results as Markdown, into a section of a page such as docs/measurements.md',
  },
  list: { does: 'list the strategies' },
} as const;

const NOTES = `It plays the deployed use cases and the base model on a store in memory, with a clock that jumps: all strategies and
thousands of people in about a minute; the same seed gives the same result. Poisoning labels is played by itself.

Exits with 1 if a strategy gets more than its bound (bench/adversary/strategies) or too many honest people are stopped.`;

/** The IP ranges and the base model side by side, as next to a deployed function. */
function functionDirectory(): string {
  const directory = join(ROOT, 'dist/adversary');
  mkdirSync(directory, { recursive: true });
  compileIntelligence(join(directory, INTELLIGENCE_FILE));
  copyFileSync(join(ROOT, 'shared/runtime', BASE_MODEL_FILE), join(directory, BASE_MODEL_FILE));
  return directory;
}

function chosen(names: readonly string[]): readonly Strategy[] {
  const unknown = names.find((name) => !STRATEGIES.some((strategy) => strategy.name === name));
  if (unknown) throw new UsageError(`No strategy "${unknown}". Try --list.`);
  return names.length === 0 ? STRATEGIES : STRATEGIES.filter(({ name }) => names.includes(name));
}

async function play(given: Given): Promise<void> {
  const strategies = chosen(given.flags.has('mix') ? ['mix'] : (given.lists.strategy ?? []));
  const people = numberOf(given, 'people', { max: 1e6 });
  const [seed, seeds] = [numberOf(given, 'seed'), numberOf(given, 'seeds', { min: 1, max: 100 })];
  // Before the report, which is itself a local change.
  const where = provenance();
  const directory = functionDirectory();
  const ips = loadIntelligence(directory);
  const progress = progressLine();
  const results: RunResult[] = [];
  for (let number = 0; number < seeds; number++) {
    const begun = performance.now();
    const onStep = (done: number, total: number): void =>
      progress.show(() => {
        const speed = (done / Math.max(1, (performance.now() - begun) / 1000)).toFixed(0);
        return `seed ${seed + number}: ${done} of ${total} honest attempts  ${speed} per second`;
      });
    const options = { strategies, people, seed: seed + number, directory, target: inProcess(directory), ips, onStep };
    results.push(await playAll(options).finally(progress.done));
  }
  const result = worstRun(results);
  const shares = results.map(({ honest }) => `${(100 * falsePositives(honest)).toFixed(2)}%`);
  console.log(`${textTable(resultRows(result))}\n`);
  if (result.outcomes.some(({ brought }) => brought)) console.log(`${textTable(broughtRows(result))}\n`);
  console.log(`${textTable(honestRows(result))}\n`);
  const { honest } = result;
  const which = seeds === 1 ? `seed ${seed}` : `the worst of seeds ${seed} to ${seed + seeds - 1}`;
  const share = `${shares.join(', ')} of honest attempts stopped`;
  console.log(
    `Honest: ${honest.people} people, ${honest.stopped} of ${honest.attempts} attempts stopped (${which}); ${share}`,
  );
  if (given.texts.report) {
    const about = `${where}; in process, ${honest.people} honest people, ${which}: ${share}.`;
    const tables = [markdownTable(resultRows(result)), markdownTable(broughtRows(result))].join('\n\n');
    writeReport(given.texts.report, 'adversary', `${about}\n\n${tables}`);
  }
  const faults = new Set(results.flatMap(faultsIn));
  for (const fault of faults) console.error(`Beyond its bound: ${fault}`);
  if (faults.size > 0) process.exitCode = 1;
}

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run adversary -- [options]',
    about:
      'Plays attackers who adapt, beside honest people: how many attempts and days each needs until the first allow, how much money they get out, and how many honest people are hurt.',
    options: OPTIONS,
    notes: NOTES,
    next: 'docs/adversary.md explains the results.',
  });
  if (!given) return;
  if (given.flags.has('list')) console.log(textTable(STRATEGIES.map(({ name, does }) => [name, does])));
  else await play(given);
});
