import type { Done } from '../bench/load/drive';
import type { LOAD_FRAUDS } from '../bench/load/traffic';
import { toUsd } from '../shared/domain/screening/currency-rates';

/** The frauds in the traffic, in words. */
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

/** A payment of an attacker that was not allowed, with the strongest reason. */
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

/** What has happened so far: counted by the simulator and by the receiver of webhooks. */
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
      // Only payments lose money; what comes before them only gives the attacker away.
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
    /** One status line for the terminal. */
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
