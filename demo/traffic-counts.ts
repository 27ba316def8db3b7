import type { Done } from '../bench/load/drive';
import type { LOAD_FRAUDS } from '../bench/load/traffic';
import { toUsd } from '../shared/domain/screening/currency-rates';

export const ATTACKS = {
  card_testing: 'card testing',
  account_takeover: 'takeover',
  device_farm: 'device farm',
  bot_signups: 'bot signups',
} as const satisfies Readonly<Record<(typeof LOAD_FRAUDS)[number], string>>;

export type Attack = (typeof ATTACKS)[keyof typeof ATTACKS];

const attempts = () =>
  Object.fromEntries(Object.values(ATTACKS).map((name) => [name, { made: 0, stopped: 0 }])) as Record<
    Attack,
    { made: number; stopped: number }
  >;

export interface Caught {
  readonly attack: Attack;
  readonly decision: string;
  readonly amount_usd: number;
  readonly risk_score: number;
  readonly reason: string;
}

interface Reason {
  readonly points: number;
  readonly detail: string;
}

const strongestReason = (contributions: readonly Reason[]): string =>
  [...contributions].sort((one, other) => other.points - one.points)[0]?.detail ?? '';

/** The state so far: counted by the simulator and by the receiver of webhooks. */
export function trafficCounts() {
  const decisions = { allow: 0, challenge: 0, review: 0, block: 0 };
  const attacks = attempts();
  const money = { stopped_usd: 0, lost_usd: 0 };
  const honest = { made: 0, challenged: 0, held: 0, blocked: 0 };
  const caught: Caught[] = [];
  /** How often requests failed, by the code of the error; `no_answer` if there was none. */
  const failures: Record<string, number> = {};
  const seen = { failed: 0, casesOpened: 0, casesResolved: 0, webhooks: 0, refusedWebhooks: 0 };

  return {
    decisions,
    attacks,
    money,
    honest,
    caught,
    failures,
    seen,
    screened: (): number => Object.values(decisions).reduce((sum, count) => sum + count, 0),
    onDone({ intent, status, json }: Done): void {
      if (status === 0 || status >= 500 || status === 429) {
        const code: string = status === 0 ? 'no_answer' : (json?.error?.code ?? `status_${status}`);
        failures[code] = (failures[code] ?? 0) + 1;
        seen.failed += 1;
      }
      if (status !== 200 || !('body' in intent)) return;
      const decision = json.decision as keyof typeof decisions;
      decisions[decision] += 1;
      const attack = intent.fraud && ATTACKS[intent.fraud];
      // Only payments lose money; earlier steps only give the attacker away.
      if (intent.kind !== 'screen-transaction') return;
      if (!attack) {
        honest.made += 1;
        if (decision === 'challenge') honest.challenged += 1;
        if (decision === 'review') honest.held += 1;
        if (decision === 'block') honest.blocked += 1;
        return;
      }
      const amount_usd = toUsd(Number(intent.body.amount), String(intent.body.currency)) ?? 0;
      attacks[attack].made += 1;
      if (decision === 'allow') {
        money.lost_usd += amount_usd;
        return;
      }
      attacks[attack].stopped += 1;
      money.stopped_usd += amount_usd;
      const reason = strongestReason(json.explanation?.contributions ?? []);
      caught.push({ attack, decision, amount_usd, risk_score: json.risk_score, reason });
    },
    onEvent(type: string): void {
      seen.webhooks += 1;
      if (type === 'case.created') seen.casesOpened += 1;
      if (type === 'case.resolved') seen.casesResolved += 1;
    },
    line(elapsedMs: number): string {
      const seconds = Math.floor(elapsedMs / 1_000);
      const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      const stopped = Object.entries(attacks).map(([name, { made, stopped: held }]) => `${name} ${held}/${made}`);
      return [
        time,
        `${decisions.allow} allowed, ${decisions.review} held, ${decisions.block} blocked`,
        `cases ${seen.casesOpened - seen.casesResolved} open, ${seen.casesResolved} resolved`,
        `webhooks ${seen.webhooks}`,
        ...(seen.failed > 0 ? [`${seen.failed} failed`] : []),
        `payments stopped: ${stopped.join(', ')}`,
      ].join(' · ');
    },
  };
}

export type TrafficCounts = ReturnType<typeof trafficCounts>;

const usd = (amount: number): string => `$${Math.round(amount).toLocaleString('en-US')}`;
const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : ((100 * part) / whole).toFixed(1)}%`;
const time = (elapsedMs: number): string => {
  const seconds = Math.floor(elapsedMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Why a request can fail on this machine, and its consequence. */
const WHY: Readonly<Record<string, string>> = {
  no_answer: 'no answer within 30 seconds; this machine could not keep up',
  unavailable: 'the service ran out of its time for DynamoDB and stored nothing; a shop retries with the same key',
  internal_error: 'a fault of ours: the function logs say which',
  rate_limited: 'more requests per second than the account may send',
};

const row = (name: string, text: string): string => `  ${name.padEnd(18)}${text}`;

/** The results of the demo, line by line: fraud caught, money saved, and the effect on honest customers. */
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
