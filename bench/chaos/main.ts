import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { numberOf, readCommandLine, runCommand } from '../../shared/cli/command-line';
import { progressLine } from '../../shared/cli/progress-line';
import { provenance, writeReport } from '../support/measurement';
import { markdownSections, type Section, textSections } from '../support/report';
import { BAD_DAY, type FaultRates } from './faults';
import { type ChaosResult, runChaos } from './run-chaos';

const KINDS = ['not durable', 'lost', 'phantom', 'half-written', 'inconsistent'] as const;
const SHOWN = 10;

function sectionsOf({ evidence, findings, faults, refusedWebhooks, elapsedMs }: ChaosResult): Section[] {
  const { asked, said, told, rows, kept } = evidence;
  const answers = asked.flatMap((request) => request.answers);
  const ok = asked.filter((request) => request.answers.some(({ status }) => status === 200));
  const unknown = asked.length - ok.length;
  const ids = new Set(told.map(({ message_id }) => message_id));
  const of = (entity: string): number => rows.filter((row) => row.entity === entity).length;
  const count = (value: number): string => value.toLocaleString('en-US');
  const found = KINDS.map((kind) => [kind, String(findings.filter((finding) => finding.kind === kind).length)]);
  return [
    { title: 'Audit findings', table: [['finding', 'count'], ...found] },
    ...(findings.length === 0
      ? []
      : [{ title: 'First findings', lines: findings.slice(0, SHOWN).map(({ kind, what }) => `- ${kind}: ${what}`) }]),
    {
      title: 'What happened',
      table: [
        ['', 'count'],
        ['screenings requested', count(asked.length)],
        ['answered 200', count(ok.length)],
        ['requests, including client retries', count(answers.length)],
        [
          'requests answered with 5xx or not at all',
          count(answers.filter(({ status }) => status === 0 || status >= 500).length),
        ],
        ['given up: no Idempotency-Key to retry with, or six requests failed', count(unknown)],
        [
          'answered from the stored result of an earlier request',
          count(answers.filter(({ replayed }) => replayed).length),
        ],
        ['results in the table', count(of('screening'))],
        ['review cases', count(of('case'))],
        ['reviews and labels recorded', count(of('label'))],
        ['processor outcomes reported', count(said.length)],
        ['of these, confirmed as recorded', count(said.filter(({ isRecorded }) => isRecorded).length)],
        ['webhooks received', count(told.length)],
        ['of these, duplicates (same ID, same bytes)', count(told.length - ids.size)],
        ['webhooks refused by receivers with 500', count(refusedWebhooks)],
        ['rows in the views of the warehouse', count(kept?.rows.length ?? 0)],
        ['duplicates of these in its files', count(kept?.duplicates ?? 0)],
        ['minutes', (elapsedMs / 60_000).toFixed(1)],
      ],
    },
    {
      title: 'Faults injected',
      table: [['fault', 'count'], ...[...faults].sort().map(([kind, times]) => [kind, count(times)])],
    },
  ];
}

export const textReport = (result: ChaosResult): string => textSections(sectionsOf(result));

export const markdownReport = (result: ChaosResult, command: string, provenance: string): string =>
  [
    `\`${command}\`: ${provenance}.`,
    'Faults are injected between functions and DynamoDB or SQS, functions are killed, receivers refuse. Then the table and the received webhooks are checked against every answer: [how](../bench/chaos/audit.ts).',
    ...markdownSections(sectionsOf(result)),
  ].join('\n\n');

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
      'Runs its own stack on this machine while DynamoDB, SQS, functions and receivers fail now and then, then audits the result: every 200 durable, every promised webhook received, nothing half-written, counters correct. Exits with 1 if not.',
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
