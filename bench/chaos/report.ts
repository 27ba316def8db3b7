import { markdownTable, textTable } from '../../shared/cli/text-table';
import type { ChaosResult } from './run-chaos';

const KINDS = ['not durable', 'lost', 'phantom', 'half-written', 'inconsistent'] as const;
const SHOWN = 10;

interface Section {
  readonly title: string;
  readonly lines?: readonly string[];
  readonly table?: ReadonlyArray<readonly string[]>;
}

function sectionsOf({ evidence, findings, faults, refusedWebhooks, elapsedMs }: ChaosResult): Section[] {
  const { asked, told, rows } = evidence;
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
        ['outcomes recorded', count(of('label'))],
        ['webhooks received', count(told.length)],
        ['of these, duplicates (same ID, same bytes)', count(told.length - ids.size)],
        ['webhooks refused by receivers with 500', count(refusedWebhooks)],
        ['minutes', (elapsedMs / 60_000).toFixed(1)],
      ],
    },
    {
      title: 'Faults injected',
      table: [['fault', 'count'], ...[...faults].sort().map(([kind, times]) => [kind, count(times)])],
    },
  ];
}

/** The report for a terminal. */
export const textReport = (result: ChaosResult): string =>
  sectionsOf(result)
    .map(({ title, lines = [], table }) => [`# ${title}`, ...lines, ...(table ? [textTable(table)] : [])].join('\n'))
    .join('\n\n');

/** The report as a section of a page. */
export const markdownReport = (result: ChaosResult, command: string, provenance: string): string =>
  [
    `\`${command}\`: ${provenance}.`,
    'Faults are injected between functions and DynamoDB or SQS, functions are killed, receivers refuse. Then the table and the received webhooks are checked against every answer: [how](../bench/chaos/audit.ts).',
    ...sectionsOf(result).map(({ title, lines = [], table }) =>
      [`### ${title}`, ...(lines.length > 0 ? [lines.join('\n')] : []), ...(table ? [markdownTable(table)] : [])].join(
        '\n\n',
      ),
    ),
  ].join('\n\n');
