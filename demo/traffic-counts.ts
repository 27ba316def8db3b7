import type { Done } from '../bench/load/drive';

/** The four kinds of attackers in the traffic, by the names of their devices. */
export const ATTACKS = {
  'tester-': 'card testing',
  'thief-': 'takeover',
  'farm-': 'device farm',
  'bot-': 'bot signups',
} as const;

export type Attack = (typeof ATTACKS)[keyof typeof ATTACKS];

/** Who made a request, as only the simulator knows; undefined for honest people. */
export function attackOf(body: Readonly<Record<string, unknown>>): Attack | undefined {
  const device = String(body.device_fingerprint ?? '');
  return Object.entries(ATTACKS).find(([prefix]) => device.startsWith(prefix))?.[1];
}

const attempts = () =>
  Object.fromEntries(Object.values(ATTACKS).map((name) => [name, { made: 0, stopped: 0 }])) as Record<
    Attack,
    { made: number; stopped: number }
  >;

/** What has happened so far: counted by the simulator and by the receiver of webhooks. */
export function trafficCounts() {
  const decisions = { allow: 0, challenge: 0, review: 0, block: 0 };
  const attacks = attempts();
  const seen = { failed: 0, casesOpened: 0, casesResolved: 0, webhooks: 0, refusedWebhooks: 0 };

  return {
    decisions,
    attacks,
    seen,
    screened: (): number => Object.values(decisions).reduce((sum, count) => sum + count, 0),
    onDone({ intent, status, json }: Done): void {
      if (status === 0 || status >= 500) seen.failed += 1;
      if (status !== 200 || !('body' in intent)) return;
      const decision = json.decision as keyof typeof decisions;
      decisions[decision] += 1;
      const attack = attackOf(intent.body);
      // Only payments lose money; what comes before them only gives the attacker away.
      if (!attack || intent.kind !== 'screen-transaction') return;
      attacks[attack].made += 1;
      if (decision !== 'allow') attacks[attack].stopped += 1;
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
