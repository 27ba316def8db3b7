import { DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import type { ReviewCase } from '../../shared/domain/cases/review-case';
import type { Attempt } from '../../shared/domain/entities/entity-history';
import { entityNames, kindOfKey } from '../../shared/domain/entities/entity-ref';
import { FOLD_MS, isWorthReading, shardOf, shardsFor } from '../../shared/domain/entities/entity-spread';
import { KIND } from '../../shared/domain/entities/kind-spec';
import { type Random, seededRandom } from '../../shared/domain/models/seeded-random';
import { partiesOf, type Subject } from '../../shared/domain/screening/subjects/attempt-of';
import { encodeUlid, ULID_RANDOM_BYTES } from '../../shared/domain/ulid';
import { PUBLIC_PSEUDONYMS } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { busyShardOf } from '../../shared/store/cases/case-index';
import { openCaseItems, resolveCaseItems } from '../../shared/store/cases/case-items';
import { counterShards } from '../../shared/store/counters/counter-item';
import { entityKey, entityShard, idempotencyKey, PARTITION, resultKey } from '../../shared/store/keys';
import type { Key } from '../../shared/store/sdk/key';
import { population } from '../../training/simulation/population';
import { PARTITION_LIMIT } from '../load/capacity-meter';
import { paymentOf } from '../load/traffic';

/** A size of business: how fast, and how many share it. */
export interface Scene {
  readonly name: string;
  readonly perSecond: number;
  readonly accounts: number;
  readonly usersPerAccount: number;
}

/** Share of screenings that end in review; npm run cost takes the same. */
export const CASE_RATE = 0.02;
/** Share of cases that are resolved, and not left to expire; likewise. */
const RESOLVED_RATE = 0.9;
/** From this share of conflicts on, an account is taken to note all its cases: its processes remember for a minute. */
const BUSY_SHARE = 0.02;
const SAMPLES = 10_000;
const NOW_MS = Date.parse('2026-11-14T12:00:00Z');
// A transaction holds its items for about two round trips between DynamoDB's own machines.
const TRANSACTION_SECONDS = 0.01;
const TRANSACTION_TRIES = 4;
const TRANSACTION_FACTOR = 2;
/** Processes that screen, per screening and second: how long one takes, with its concurrent requests. */
const PROCESS_SECONDS = 0.03;
/** How long a process relies on its last read of a spread history. */
const HOME_SECONDS = 29;

export interface KeyLoad {
  readonly writeUnitsPerSecond: number;
  readonly hot: ReadonlyArray<{ readonly kind: string; readonly unitsPerSecond: number }>;
  readonly hottestByKind: ReadonlyMap<string, number>;
  readonly spread: { readonly entities: number; readonly shards: number };
  /** Units per second that folds write and processes read. */
  readonly folding: { readonly writeUnits: number; readonly readUnits: number };
  /** Share of screenings that are scored without at least one history because its key is throttled. */
  readonly degraded: number;
  /** Share of screenings that open a case and are refused by a busy partition on every try: 503. */
  readonly refusedCases: number;
}

/** The kind of key, in readable form: `category`, `ip`, `tally`. */
function kindOf(pk: string): string {
  const [partition = '', , entity = ''] = pk.split('#');
  return partition === PARTITION.entity ? entity.replace(/^(\d+~)?(attribute\.)?/, '') : partition.toLowerCase();
}

function ulidAt(ms: number, random: Random): string {
  return encodeUlid(
    ms,
    Uint8Array.from({ length: ULID_RANDOM_BYTES }, () => Math.floor(random() * 256)),
  );
}

const accountId = (account: number): string => `acc_${String(account).padStart(26, '0')}`;

interface Sample {
  readonly account: string;
  readonly ulid: string;
  readonly userId: string;
  /** The keys of its entities; the first is the user's. */
  readonly entities: readonly string[];
  readonly opensCase: boolean;
  readonly isResolved: boolean;
}

interface Screening {
  readonly account: string;
  readonly entities: readonly string[];
  /** Keys its case's transaction writes that other screenings share; empty if it opens none. */
  readonly shared: readonly string[];
}

const pkOf = (item: ReturnType<typeof openCaseItems>[number]): string => {
  const { Put, Update, Delete } = item;
  return String((Put?.Item ?? Update?.Key ?? Delete?.Key)?.pk);
};

interface Storing {
  readonly write: (pk: string, units: number) => void;
  /** Accounts that note their cases alongside the tallies (ADR 0033). */
  readonly busy: ReadonlySet<string>;
  /** Over how many shards histories are spread, by the key of their home. @default one: the home itself */
  readonly shards: ReadonlyMap<string, number>;
}

const kindsOf = (...kinds: ReadonlyArray<keyof typeof PARTITION>) => {
  const prefixes = kinds.map((kind) => `${PARTITION[kind]}#`);
  return (pk: string): boolean => prefixes.some((prefix) => pk.startsWith(prefix));
};
const isShared = kindsOf('tally', 'cases');
const isTally = kindsOf('tally');

function sample({ accounts, usersPerAccount }: Scene, seed: number): readonly Sample[] {
  const random = seededRandom(seed);
  const people = population(seed, { accounts, usersPerAccount });
  return Array.from({ length: SAMPLES }, () => {
    const number = people.someAccount(random);
    const account = accountId(number);
    const payment = paymentOf(people, number, people.somebody(number, random), random);
    const subject = { subject_type: 'transaction', action: 'transaction', outcome: 'succeeded', ...payment } as Subject;
    const ulid = ulidAt(NOW_MS + Math.floor(random() * 1000), random);
    const { refs } = partiesOf(entityNames(account, PUBLIC_PSEUDONYMS), subject, undefined, DEFAULT_SETTINGS);
    const opensCase = random() < CASE_RATE;
    return {
      account,
      ulid,
      userId: subject.user_id,
      entities: refs.map(({ key }) => key),
      opensCase,
      isResolved: opensCase && random() < RESOLVED_RATE,
    };
  });
}

/** Counts the units per key that a screening writes, using the store's own key functions. */
function store(drawn: Sample, { write, busy, shards }: Storing): Screening {
  const { account, ulid } = drawn;
  const entities = drawn.entities.map((key) => {
    const home = entityKey(account, key).pk;
    const count = shards.get(home) ?? 1;
    const shard = shardOf({ attempt_id: ulid } as Attempt, count);
    return count === 1 ? home : entityKey(account, entityShard(key, shard)).pk;
  });
  for (const pk of entities) write(pk, 1);
  write(idempotencyKey(account, ulid).pk, 1);
  const [user = '', ...others] = entities;
  if (!drawn.opensCase) {
    write(resultKey(account, ulid).pk, 1);
    // The familiarity that the user earns.
    write(user, 1);
    return { account, entities, shared: [] };
  }
  for (const pk of others) write(pk, 1);
  const how = busy.has(account) ? 'noted' : 'counted';
  const opened: ReviewCase = {
    ulid,
    subject_type: 'transaction',
    user_id: drawn.userId,
    status: 'open',
    risk_score: 70,
    signals: [],
    created_at_ms: NOW_MS,
    resolved_at: null,
    resolved_by: null,
    notes: null,
    ...(how === 'noted' ? { shard: busyShardOf(ulid) } : {}),
  };
  const items = openCaseItems(account, opened, how);
  const keys: Key['pk'][] = [resultKey(account, ulid).pk, user, ...items.map(pkOf)];
  for (const pk of keys) write(pk, TRANSACTION_FACTOR);
  const due = items.flatMap(({ Put }) => (Put?.Item?.due_pk ? [String(Put.Item.due_pk)] : []));
  for (const pk of due) write(pk, 1);
  const steps = keys.filter((pk) => pk.endsWith('#STEPS'));
  if (drawn.isResolved) {
    const resolved = { ...opened, status: 'approved', resolved_at: '', resolved_by: '' } as const;
    const resolution = { number: 1, source: 'case', previous_decision: 'review', key_id: '' } as const;
    const changes = resolveCaseItems(account, resolved, { resolution, nowMs: NOW_MS, how }).map(pkOf);
    for (const pk of changes) write(pk, TRANSACTION_FACTOR);
    for (const pk of due) write(pk, 1);
    steps.push(...changes.filter((pk) => pk.endsWith('#STEPS')));
  }
  // A fold deletes its steps.
  for (const pk of steps) write(pk, TRANSACTION_FACTOR);
  return { account, entities, shared: [...keys.filter(isShared), ...due] };
}

function storeAll(
  { perSecond }: Scene,
  samples: readonly Sample[],
  busy: ReadonlySet<string>,
  shards: ReadonlyMap<string, number> = new Map(),
) {
  const units = new Map<string, number>();
  const scale = perSecond / SAMPLES;
  const write = (pk: string, count: number) => units.set(pk, (units.get(pk) ?? 0) + count * scale);
  const screenings = samples.map((drawn) => store(drawn, { write, busy, shards }));
  return { units, screenings };
}

/** Shards per history at a scene's rates: of all but users, where more is written than one item should take. */
function spreadEntities(scene: Scene, samples: readonly Sample[]) {
  const rates = new Map<string, number>();
  const each = scene.perSecond / SAMPLES;
  for (const { account, entities } of samples) {
    for (const { pk } of entities.map((key) => entityKey(account, key))) rates.set(pk, (rates.get(pk) ?? 0) + each);
  }
  const shards = new Map<string, number>();
  const folding = { writeUnits: 0, readUnits: 0 };
  const processes = scene.perSecond * PROCESS_SECONDS;
  for (const [pk, perSecond] of rates) {
    const count = KIND[kindOfKey(pk.split('#').slice(2).join('#'))].person ? 1 : shardsFor(perSecond);
    if (count === 1) continue;
    shards.set(pk, count);
    // A home takes two write units, and a transaction writes everything twice; it reads what it moves.
    folding.writeUnits += (TRANSACTION_FACTOR * (2 + count) * 1000) / FOLD_MS;
    folding.readUnits += ((1 + count) * 1000) / FOLD_MS;
    // A process reads the home when what it knows is half a minute old, eventually consistent.
    if (isWorthReading(count, (1000 * processes) / perSecond))
      folding.readUnits += 0.5 * Math.min(perSecond, processes / HOME_SECONDS);
  }
  return { shards, folding };
}

/** Accounts whose tallies conflict so often that their processes hardly ever count in them. */
function busyAccounts(scene: Scene, samples: readonly Sample[]): ReadonlySet<string> {
  const { units, screenings } = storeAll(scene, samples, new Set());
  // Another transaction on the same item within the time that one takes.
  const meets = (pk: string): number =>
    1 - Math.exp(-((units.get(pk) ?? 0) / TRANSACTION_FACTOR) * TRANSACTION_SECONDS * 2);
  const isBusy = ({ shared }: Screening): boolean => shared.filter(isTally).some((pk) => meets(pk) > BUSY_SHARE);
  return new Set(screenings.filter(isBusy).map(({ account }) => account));
}

/** A second of a scene, from samples: which keys are too hot, and what callers notice. */
export function simulate(scene: Scene, seed = 1): KeyLoad {
  const samples = sample(scene, seed);
  const { shards, folding } = spreadEntities(scene, samples);
  const { units, screenings } = storeAll(scene, samples, busyAccounts(scene, samples), shards);
  const unitsOf = (pk: string): number => units.get(pk) ?? 0;
  // A key that belongs to a single screening looks warm only because few samples stand for many.
  const shared = [...units].filter(
    ([pk]) => ![PARTITION.subject, PARTITION.idempotency].some((kind) => pk.startsWith(kind)),
  );
  const hot = shared.filter(([, count]) => count > PARTITION_LIMIT.writeUnits).sort(([, a], [, b]) => b - a);
  const hottestByKind = new Map<string, number>();
  for (const [pk, count] of shared) hottestByKind.set(kindOf(pk), Math.max(count, hottestByKind.get(kindOf(pk)) ?? 0));

  const passes = (pk: string): number => Math.min(1, PARTITION_LIMIT.writeUnits / unitsOf(pk));
  const complete = screenings.reduce((sum, { entities }) => sum + entities.reduce((all, pk) => all * passes(pk), 1), 0);
  const withCase = screenings.filter(({ shared: written }) => written.length > 0);
  // A case that meets a rival is noted and meets nobody; what is left is a partition that takes no more.
  const refused = withCase.reduce((sum, { shared: written }) => {
    const each = 1 - written.reduce((all, pk) => all * passes(pk), 1);
    return sum + each ** TRANSACTION_TRIES;
  }, 0);
  return {
    writeUnitsPerSecond: [...units.values()].reduce((sum, count) => sum + count, folding.writeUnits),
    spread: { entities: shards.size, shards: [...shards.values()].reduce((sum, count) => sum + count, 0) },
    folding,
    hot: hot.map(([pk, unitsPerSecond]) => ({ kind: kindOf(pk), unitsPerSecond })),
    hottestByKind,
    degraded: 1 - complete / SAMPLES,
    refusedCases: withCase.length === 0 ? 0 : refused / withCase.length,
  };
}

/** Reads and writes per second that the counters of a scene's accounts add. */
export interface CounterLoad {
  readonly writeUnits: number;
  /** Attempts of the hottest combination of values. */
  readonly hottest: number;
  /** Counters that their home does not take: spread over shards, all of which are then read. */
  readonly spread: number;
  readonly readUnits: number;
  /** Share of attempts that neither home nor shards take. */
  readonly uncounted: number;
}

/** Every account counts by these kinds of entities, a counter each. */
export function countersOf({ perSecond, ...scene }: Scene, by: readonly string[], seed = 1): CounterLoad {
  const rates = new Map<string, number>();
  for (const { account, entities } of sample({ perSecond, ...scene }, seed)) {
    for (const [number, kind] of by.entries()) {
      const entity = entities.find((key) => key.startsWith(`${kind}#`));
      if (entity === undefined) continue;
      const { pk } = entityKey(account, `counter.${number}#${entity.slice(entity.lastIndexOf('#') + 1)}`);
      rates.set(pk, (rates.get(pk) ?? 0) + perSecond / SAMPLES);
    }
  }
  const all = [...rates.values()];
  const total = (of: (rate: number) => number): number => all.reduce((sum, rate) => sum + of(rate), 0);
  const items = 1 + counterShards('').length;
  const writeUnits = total((rate) => Math.min(rate, items * PARTITION_LIMIT.writeUnits));
  const isSpread = (rate: number): boolean => rate > PARTITION_LIMIT.writeUnits;
  return {
    writeUnits,
    hottest: Math.max(...all),
    spread: all.filter(isSpread).length,
    // Eventually consistent, of every item but the one that is written.
    readUnits: total((rate) => (isSpread(rate) ? rate * 0.5 * (items - 1) : 0)),
    uncounted: 1 - writeUnits / total((rate) => rate),
  };
}
