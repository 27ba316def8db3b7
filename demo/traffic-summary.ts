import { ATTACKS, type TrafficCounts } from './traffic-counts';

const usd = (amount: number): string => `$${Math.round(amount).toLocaleString('en-US')}`;
const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : ((100 * part) / whole).toFixed(1)}%`;
const time = (elapsedMs: number): string => {
  const seconds = Math.floor(elapsedMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Why a request can fail on this machine, and what became of it. */
const WHY: Readonly<Record<string, string>> = {
  no_answer: 'no answer within 30 seconds; this machine could not keep up',
  unavailable: 'the service ran out of its time for DynamoDB and stored nothing; a shop retries with the same key',
  internal_error: 'a fault of ours: the function logs say which',
  rate_limited: 'more requests per second than the account may send',
};

const row = (name: string, text: string): string => `  ${name.padEnd(18)}${text}`;

/** What the demo has shown, line by line: fraud caught, what it saved, and what honest customers noticed. */
export function trafficSummary(counts: TrafficCounts, elapsedMs: number): string[] {
  const { attacks, money, honest, decisions, seen, failures, caught } = counts;
  const kinds = Object.values(ATTACKS).map((name) => ({ name, ...attacks[name] }));
  const made = kinds.reduce((sum, kind) => sum + kind.made, 0);
  const stopped = kinds.reduce((sum, kind) => sum + kind.stopped, 0);
  const bothered = honest.challenged + honest.held + honest.blocked;
  const latest = caught.at(-1);
  return [
    `After ${time(elapsedMs)}: ${counts.screened()} screened, ${decisions.allow} allowed, ${decisions.review} held, ${decisions.block} blocked`,
    row(
      'Fraud stopped',
      `${stopped} of ${made} payments: ${kinds.map((kind) => `${kind.name} ${kind.stopped}/${kind.made}`).join(', ')}`,
    ),
    row('Money', `${usd(money.stopped_usd)} kept from attackers, ${usd(money.lost_usd)} lost`),
    row(
      'Honest customers',
      `${bothered} of ${honest.made} payments stopped (${percent(bothered, honest.made)}): ${honest.held} held for review, ${honest.blocked} blocked`,
    ),
    row(
      'Cases',
      `${seen.casesOpened - seen.casesResolved} open, ${seen.casesResolved} resolved; ${seen.webhooks} webhooks verified`,
    ),
    ...(latest
      ? [
          row(
            'Last one stopped',
            `${latest.attack}, ${usd(latest.amount_usd)}, score ${latest.risk_score}: ${latest.reason}`,
          ),
        ]
      : []),
    ...(seen.failed === 0
      ? [row('Failed requests', 'none')]
      : Object.entries(failures).map(([code, count], at) =>
          row(at === 0 ? 'Failed requests' : '', `${count} × ${code}: ${WHY[code] ?? 'see the function logs'}`),
        )),
  ];
}
