import { DEFAULT_SETTINGS } from '../../../../shared/domain/accounts/account';
import { teachingAccounts } from '../../../../shared/domain/models/account-shares';
import type { ModelArtefact } from '../../../../shared/domain/models/model-artefact';
import { championFor } from '../../../../shared/domain/models/registry-state';
import { rowScorer } from '../../../../shared/domain/models/row-scorer';
import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import type { StoredLabel } from '../../../../shared/domain/models/stored-label';
import { packObserved } from '../../../../shared/domain/screening/attributes/observed-codec';
import { decide } from '../../../../shared/domain/screening/decide';
import { FEATURE_NAMES, featureSlot } from '../../../../shared/domain/screening/features';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import { memoryObjects } from '../../../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../../../shared/store/models/model-registry';
import { type LabelledRow, labelledRows } from '../../../../shared/usecases/models/labelled-rows';
import { openArtefact, type TrainingPlan } from '../../../../shared/usecases/models/model-files';
import { runTraining } from '../../../../shared/usecases/models/run-training';
import { trainModel } from '../../../../training/engine/learn/train-model';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const START = Date.UTC(2026, 9, 1);
const APPS = { web: 11, ios: 12, rival: 13 } as const;
type App = keyof typeof APPS;

/**
 * The attacker labels as fraud its own screenings with `app=rival`; ordinary attempts like anybody's; or nothing
 * that is fraud elsewhere (it calls that legitimate, and the ordinary fraud). Cleverer: half of its labels, or four of
 * five, are true and the rest turned; or all are true but those of the night, a fifth of the day, when everything is fraud;
 * or all are true until the last fifth, which no model that is compared on it has learned from.
 */
export type Poison = 'none' | 'rival' | 'ordinary' | 'turned' | 'half_true' | 'mostly_true' | 'night' | 'sleeper';
/** Who labels besides the attacker: nobody, one account, or five. Newcomers are there in any case and label nothing. */
export type Honest = 0 | 1 | 5;

// Few and large steps: what holds does not depend on how fine a forest is, only the time does.
const SETTINGS = { num_iterations: 40, learning_rate: 0.2 };

interface Attempt {
  readonly app: App;
  readonly isFraud: boolean;
  readonly hour: number;
  readonly vector: Uint8Array;
  readonly observed: Uint8Array;
}

/** Fraud is what no signal sees: amounts of about 70 dollars. */
function attemptsOf(seed: number) {
  const random = seededRandom(seed);
  return (fraudShare: number): Attempt => {
    const isFraud = random() < fraudShare;
    const app = (['web', 'ios', 'rival'] as const)[Math.floor(3 * random())] as App;
    const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
    vector[featureSlot('is_transaction')] = 1;
    vector[featureSlot('amount_ln_usd')] = isFraud ? 4.2 + 0.3 * random() : 1 + (random() < 0.4 ? 3.1 : 5) * random();
    const hour = 24 * random();
    vector[featureSlot('hour_utc')] = hour;
    const observed = packObserved([{ name: 'attributes.app', bucket: APPS[app], number: Number.NaN }]);
    return { app, isFraud, hour, vector: packVector(vector), observed };
  };
}

const NIGHT_ENDS_AT = 4.8;
const isNight = ({ hour }: Attempt) => hour < NIGHT_ENDS_AT;

/** Whether the attacker calls its i-th attempt of `of` fraud. */
const POISONED: Readonly<Record<Poison, (attempt: Attempt, i: number, of: number) => boolean>> = {
  none: ({ isFraud }) => isFraud,
  rival: ({ app }) => app === 'rival',
  ordinary: ({ app }) => app !== 'web',
  turned: ({ isFraud }) => !isFraud,
  half_true: ({ isFraud }, i) => (i % 2 === 0 ? isFraud : !isFraud),
  mostly_true: ({ isFraud }, i) => (i % 5 !== 0 ? isFraud : !isFraud),
  night: (attempt) => attempt.isFraud || isNight(attempt),
  sleeper: (attempt, i, of) => (i < 0.8 * of ? attempt.isFraud : !attempt.isFraud),
};
const HAS_FRAUD: ReadonlySet<Poison> = new Set<Poison>([
  'none',
  'turned',
  'half_true',
  'mostly_true',
  'night',
  'sleeper',
]);

export interface Scene {
  readonly honest: Honest;
  readonly poison: Poison;
  readonly labels: number;
  /** Trainings before and during the attack. */
  readonly rounds: number;
  /** Whether the attacker labels from the first day on, before there is a champion. @default false */
  readonly from_day_one?: boolean;
}

const ATTACKER = 'acc_attacker';

/**
 * Labels, training, days in shadow, training: first without the attacker, then with its labels. The champion at the end,
 * and its twin: what the same trainings make of everybody else's labels. The twin, not a world without the attacker,
 * because there other models would have been promoted, on other days and from more or fewer labels of the honest.
 */
async function championOf({ honest, poison, labels, rounds, from_day_one = false }: Scene) {
  const registry = modelRegistry(memoryObjects());
  const stored = new Map<string, StoredLabel[]>();
  let nowMs = START;
  let count = 0;
  const give = (accountId: string, attempt: Attempt, atMs: number, given: StoredLabel['label'] | 'sample') => {
    const own = stored.get(accountId) ?? [];
    stored.set(accountId, own);
    own.push({
      subject_id: `txn_${count++}`,
      label: given === 'fraud' ? 'fraud' : 'legitimate',
      source: given === 'sample' ? 'sample' : 'case',
      analyst_id: given === 'sample' ? null : 'ann',
      labeled_at: new Date(atMs).toISOString(),
      screened_at_ms: atMs,
      risk_score: 5,
      model_version: 'rules-1',
      feature_version: 1,
      vector: attempt.vector,
      observed: attempt.observed,
    });
  };
  const sources = Array.from({ length: 5 }, (_, i) => attemptsOf(100 + i));
  const attacker = attemptsOf(7);
  /** Everybody labels between two times; the attacker so many. */
  const label = (fromMs: number, toMs: number, each: number, byAttacker: number) => {
    const timeOf = (i: number, of: number) => Math.floor(fromMs + ((i + 0.5) * (toMs - fromMs)) / of);
    for (let a = 0; a < 5; a++) {
      const next = sources[a] as ReturnType<typeof attemptsOf>;
      for (let i = 0; i < each && a < honest; i++) {
        const attempt = next(0.35);
        give(`acc_${a}`, attempt, timeOf(i, each), attempt.isFraud ? 'fraud' : 'legitimate');
      }
      for (let i = 0; i < each / 8; i++)
        give(a < honest ? `acc_${a}` : 'acc_new', next(0), timeOf(i, each / 8), 'sample');
    }
    for (let i = 0; i < byAttacker; i++) {
      const attempt = attacker(HAS_FRAUD.has(poison) ? 0.35 : 0);
      give(ATTACKER, attempt, timeOf(i, byAttacker), POISONED[poison](attempt, i, byAttacker) ? 'fraud' : 'legitimate');
    }
    for (let i = 0; i < byAttacker / 20; i++) give(ATTACKER, attacker(0), timeOf(i, byAttacker / 20), 'sample');
  };
  const accounts = async () => [ATTACKER, 'acc_new', ...Array.from({ length: 5 }, (_, a) => `acc_${a}`)];
  const labelsOf = async (account: string, month: string) =>
    (stored.get(account) ?? []).filter((each) => new Date(each.screened_at_ms).toISOString().startsWith(month));
  const outcomes: string[] = [];
  let held = 0;
  const trained = (rows: readonly LabelledRow[], parent: ModelArtefact | undefined, at: number, plan?: TrainingPlan) =>
    trainModel(rows, { ...{ nowMs: at, source: 'labels', parent, plan }, settings: SETTINGS });
  const train = async () => {
    const report = await runTraining({
      stage: 'sandbox',
      clock: { now: () => nowMs },
      registry,
      labels: { accounts, storedInMonth: labelsOf },
      tallies: { find: async () => ({ screened: 500, silent: 0, champion_stopped: 25, shadow_stopped: 25 }) },
      base: undefined,
      fit: trained,
    });
    outcomes.push(`${report.outcome}: ${report.detail}`);
    held = Math.max(
      held,
      (report.held ?? []).reduce((sum, each) => sum + each.labels, 0),
    );
  };
  const pass = async (days: number, each: number, byAttacker: number) => {
    label(nowMs, nowMs + days * DAY, each, byAttacker);
    nowMs += days * DAY;
    await train();
  };
  // A month before the attack: whoever labels has their own model, or shares one.
  if (!from_day_one) {
    await pass(30, 300, 0);
    for (let round = 1; round < rounds && honest > 0; round++) await pass(2, 60, 0);
  }
  outcomes.push('attack');
  const attackedAt = new Date(nowMs).toISOString();
  await pass(from_day_one ? 30 : 10, from_day_one ? 300 : 100, labels);
  for (let round = 0; round < rounds; round++) await pass(2, 60, labels / 5);
  /** The model trained at a time, without the attacker's labels. */
  const withoutAttacker = async (at: number, parent: ModelArtefact | undefined) => {
    const storedInMonth = async (account: string, month: string) =>
      (await labelsOf(account, month)).filter(({ screened_at_ms }) => screened_at_ms <= at);
    const rows = await labelledRows({ accounts, storedInMonth }, at);
    const teaching = teachingAccounts(rows.filter(({ account_id }) => account_id !== ATTACKER));
    if (teaching.size === 0) return parent;
    const left = rows.filter(({ account_id }) => teaching.has(account_id));
    return trained(left, parent, at).artefact;
  };
  const { state } = await registry.state();
  const named = championFor(state, 'sandbox');
  const champion = named && (await openArtefact(registry, named.version));
  let twin: ModelArtefact | undefined;
  for (const { version, at } of state.changes.filter(({ to }) => to === 'champion')) {
    const made = state.changes.find((change) => change.version === version && change.from === null);
    const madeAt = Date.parse(made?.at ?? at);
    const isBefore = at <= attackedAt;
    twin = isBefore ? await openArtefact(registry, version) : await withoutAttacker(madeAt, twin);
  }
  return { champion, twin, outcomes, held };
}

/** The harm that an attacker's labels did to everybody else. */
export interface Poisoning {
  /** The account that was moved furthest: how far its scores moved on average. */
  readonly points_moved: number;
  readonly worst: string;
  /** Honest attempts that are blocked with the attacker's labels, and were not without: allowed, or at all. */
  readonly allowed_to_block: number;
  readonly turned_to_block: number;
  readonly attempts: number;
  /** Score of an honest newcomer's attempt with `app=rival`, on average, without and with the attacker's labels. */
  readonly rival_before: number;
  readonly rival_after: number;
  readonly held: number;
  readonly outcomes: readonly string[];
}

const decisionAt = (score: number) => decide(score, DEFAULT_SETTINGS);

/** Trains with and without the attacker's labels, and scores the same honest attempts by both champions. */
export async function poisoning(scene: Scene): Promise<Poisoning> {
  const poisoned = await championOf(scene);
  const next = attemptsOf(5_000);
  const [before, after] = [rowScorer(poisoned.twin), rowScorer(poisoned.champion)];
  const accounts = ['acc_new', ...Array.from({ length: 5 }, (_, a) => `acc_${a}`)];
  const scored = accounts.flatMap((account_id) =>
    Array.from({ length: 300 }, () => {
      const attempt = next(0);
      const row = { ...attempt, account_id, label: 0, screened_at_ms: START, labeled_at_ms: START } as const;
      return { account_id, app: attempt.app, was: before(row).risk_score, is: after(row).risk_score };
    }),
  );
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const moved = accounts
    .map((id) => {
      const own = scored.filter(({ account_id }) => account_id === id);
      return { id, points: mean(own.map(({ was, is }) => Math.abs(is - was))) };
    })
    .sort((a, b) => b.points - a.points);
  const rivals = scored.filter(({ account_id, app }) => account_id === 'acc_new' && app === 'rival');
  return {
    points_moved: moved[0]?.points ?? 0,
    worst: moved[0]?.id ?? '',
    allowed_to_block: scored.filter(({ was, is }) => decisionAt(was) === 'allow' && decisionAt(is) === 'block').length,
    turned_to_block: scored.filter(({ was, is }) => decisionAt(was) !== 'block' && decisionAt(is) === 'block').length,
    attempts: scored.length,
    rival_before: mean(rivals.map(({ was }) => was)),
    rival_after: mean(rivals.map(({ is }) => is)),
    held: poisoned.held,
    outcomes: poisoned.outcomes,
  };
}
