import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { numberOf, readCommandLine, runCommand } from '../../shared/cli/command-line';
import { progressLine } from '../../shared/cli/progress-line';
import { provenance, writeReport } from '../support/measurement';
import { BAD_DAY, type FaultRates } from './faults';
import { markdownReport, textReport } from './report';
import { runChaos } from './run-chaos';

const OPTIONS = {
  screenings: { value: 'number', does: 'number of screenings to request', default: '10000' },
  accounts: { value: 'number', does: 'accounts that share the traffic', default: '5' },
  seed: { value: 'number', does: 'the same seed requests the same screenings', default: '1' },
  concurrency: { value: 'number', does: 'requests in flight', default: '12' },
  faults: { value: 'factor', does: 'fault rate relative to a bad day; 0 for none', default: '1' },
  'refused-webhooks': { value: 'share', does: 'share of webhooks that receivers answer with 500', default: '0.2' },
  port: { value: 'number', does: 'API port, for watching from outside; 0 picks any free port', default: '0' },
  report: { value: 'file', does: 'also write the report as Markdown' },
} as const;

const scaled = (factor: number): FaultRates =>
  Object.fromEntries(
    Object.entries(BAD_DAY).map(([kind, rate]) => [kind, Math.min(0.9, rate * factor)]),
  ) as unknown as FaultRates;

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run chaos -- [options]',
    about:
      'Runs its own stack on this machine while DynamoDB, SQS, functions and receivers fail now and then, then audits the\nresult: every 200 durable, every promised webhook received, nothing half-written, counters correct. Exits with 1 if not.',
    options: OPTIONS,
    next: 'docs/promises.md lists what the audit checks.',
  });
  if (!given) return;
  const directory = join(__dirname, '../../.local/chaos');
  mkdirSync(directory, { recursive: true });
  const where = provenance();
  const progress = progressLine();
  const { report } = given.texts;
  const result = await runChaos({
    screenings: numberOf(given, 'screenings', { min: 1 }),
    accounts: numberOf(given, 'accounts', { min: 1, max: 100 }),
    seed: numberOf(given, 'seed'),
    concurrency: numberOf(given, 'concurrency', { min: 1, max: 500 }),
    rates: scaled(numberOf(given, 'faults', { max: 20 })),
    refusedShare: numberOf(given, 'refused-webhooks', { max: 0.9 }),
    port: numberOf(given, 'port', { max: 65_535 }),
    directory,
    say: (line) => console.error(line),
    show: progress.show,
  }).finally(progress.done);
  console.log(textReport(result));
  const command = `npm run chaos -- ${process.argv.slice(2).join(' ')}`.trim();
  if (report) writeReport(report, 'chaos', markdownReport(result, command, where));
  if (result.findings.length > 0) process.exitCode = 1;
});
