import { readFileSync } from 'node:fs';
import { NO_DECLARATIONS } from '../../shared/domain/declarations/declaration';
import type { Attempt } from '../../shared/domain/entities/entity-history';
import type { EntityRef } from '../../shared/domain/entities/entity-ref';
import { pseudonymsBy } from '../../shared/domain/entities/pseudonyms';
import { openIntelligence } from '../../shared/domain/intelligence/intelligence-table';
import type { Subject } from '../../shared/domain/screening/subjects/attempt-of';
import { newUlid } from '../../shared/runtime/ids';
import { SCREENING_STAND_INS } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { identityKeys } from '../../shared/secrets/stage-pseudonyms';
import { counterStore } from '../../shared/store/counters/counter-store';
import { earnUpdate, trustUpdate } from '../../shared/store/entities/earn-update';
import type { EntityCalls } from '../../shared/store/entities/entity-calls';
import { readEntity } from '../../shared/store/entities/read-entity';
import { recordAttemptUpdate } from '../../shared/store/entities/record-attempt-update';
import { entityKey } from '../../shared/store/keys';
import { applyUpdate } from '../../shared/store/memory/apply-update';
import type { EntityItem } from '../../shared/store/sdk/attribute-value';
import { fixedRules } from '../../shared/usecases/screening/followers';
import { type ScreenSubjectDeps, screenSubject } from '../../shared/usecases/screening/screen-subject';
import { counterSource } from '../../shared/usecases/screening/sources/counters';
import { caller, subject } from './ordinary-screening';

// Run as a bundle, like the deployed code: a TypeScript loader's getters on every import would be half of the time.
const CUSTOMERS = 25;
const ROUNDS_A_BATCH = 4;
const BATCHES = 250;
const WARM_UP_BATCHES = 100;
const [, , tableFile = ''] = process.argv;
const intelligence = openIntelligence(readFileSync(tableFile));
/** From the secret canned-dynamodb.cjs gives the deployed bundle, so that it finds these histories under its names. */
const pseudonyms = pseudonymsBy(identityKeys({ material: 'bench' }));

export interface OwnCpu {
  readonly micros: number;
  /** Including building the table's updates and reading its items. */
  readonly wireMicros: number;
  readonly items: Readonly<Record<string, EntityItem>>;
  readonly counters: {
    /** An account without any, against screening without the source of counters. */
    readonly unused: number;
    /** Three that match, against none. */
    readonly used: number;
    /** Per screening, without any and with three. */
    readonly writes: readonly number[];
  };
}

/** Different people, so that no two items that follow one another have the same attributes. */
const payments: readonly Subject[] = Array.from({ length: CUSTOMERS }, (_, n) => ({
  ...subject,
  user_id: n === 0 ? subject.user_id : `user-${n}`,
  ip_address: n === 0 ? subject.ip_address : `91.0.${n}.1`,
  device_fingerprint: n === 0 ? subject.device_fingerprint : `fp_${n}`,
  custom_attributes: n === 0 ? subject.custom_attributes : { card_fingerprint: `card_${n}` },
}));

type RecordAttempt = ScreenSubjectDeps['entities']['recordAttempt'];
type Earn = ScreenSubjectDeps['entities']['earn'];
type Trust = ScreenSubjectDeps['entities']['trust'];

/** Stores that keep nothing, so that only our own work is measured. */
function depsWith(
  recordAttempt: RecordAttempt,
  earn: Earn = async () => undefined,
  trust: Trust = async () => undefined,
): ScreenSubjectDeps {
  return {
    ...SCREENING_STAND_INS,
    clock: { now: () => Date.now() },
    newUlid,
    intelligence: { current: () => intelligence },
    pseudonyms: () => pseudonyms,
    entities: {
      recordAttempt,
      removeAttempt: async () => undefined,
      earn,
      unearn: async () => undefined,
      trust,
      countStopped: async () => undefined,
    },
  };
}

type Items = ReadonlyMap<string, EntityItem>;

/** The work of the entities' store for one entity, on an item as it comes from a response. */
const recordOn = (items: Items, ref: EntityRef, attempt: Attempt): Awaited<ReturnType<RecordAttempt>> => {
  recordAttemptUpdate(ref.kind, attempt);
  const { history } = readEntity(ref.kind, items.get(ref.key), attempt);
  return { ref, history, trim: undefined };
};

/** A store in memory: it has each entity's history, as the table's store would return it. */
async function inMemory(items: Items): Promise<ScreenSubjectDeps> {
  const known = new Map<string, Awaited<ReturnType<RecordAttempt>>>();
  const learn: RecordAttempt = async (_account, ref, attempt) => {
    const recorded = recordOn(items, ref, attempt);
    known.set(ref.key, recorded);
    return recorded;
  };
  for (const payment of payments) await screenSubject(depsWith(learn), caller, payment);
  return depsWith(async (_account, { key }) => known.get(key) as Awaited<ReturnType<RecordAttempt>>);
}

/** The store's own work as well: an update is built and an item read for each entity, everything but the call itself. */
const onTheWire = (items: Items): ScreenSubjectDeps =>
  depsWith(
    async (_account, ref, attempt) => recordOn(items, ref, attempt),
    async (_account, _ref, earned) => void earnUpdate(earned),
  );

/** A month of ordinary history for each entity. */
async function warmItems(): Promise<Map<string, EntityItem>> {
  const items = new Map<string, EntityItem>();
  let now = 0;
  const earn: Earn = async (_account, { key }, earned) => {
    const params = earnUpdate(earned);
    const { item } = params ? applyUpdate(items.get(key), params) : {};
    if (item) items.set(key, item);
  };
  const trust: Trust = async (_account, { key }, atMs) => {
    const { item } = applyUpdate(items.get(key), trustUpdate(atMs));
    if (item) items.set(key, item);
  };
  const learn = depsWith(
    async (account, ref, attempt) => {
      const { pk, sk } = entityKey(account, ref.key);
      // Through JSON: a store's objects are never built property by property, and V8 reads the two differently.
      const before = JSON.parse(JSON.stringify(items.get(ref.key) ?? { pk: { S: pk }, sk: { S: sk } }));
      const { item: after = before } = applyUpdate(before, recordAttemptUpdate(ref.kind, attempt));
      const { history, trim } = readEntity(ref.kind, before, attempt);
      items.set(ref.key, (trim && applyUpdate(after, trim).item) ?? after);
      return { ref, history, trim: undefined };
    },
    earn,
    trust,
  );
  for (const [number, payment] of payments.entries()) {
    now = Date.now() - 30 * 86_400_000;
    for (let i = 0; i < 60; i++) {
      now += 12 * 3_600_000 - ((i * (number + 1)) % 7) * 600_000;
      await screenSubject({ ...learn, clock: { now: () => now } }, caller, payment);
    }
  }
  return items;
}

/** CPU time per screening of each, in turns: a noisy minute affects all alike. */
async function cpuMicros(variants: ReadonlyArray<() => Promise<ScreenSubjectDeps>>): Promise<number[]> {
  const spent = variants.map(() => 0);
  for (let batch = -WARM_UP_BATCHES; batch < BATCHES; batch++) {
    for (const [at, deps] of variants.entries()) {
      const rounds: ScreenSubjectDeps[] = [];
      for (let round = 0; round < ROUNDS_A_BATCH; round++) rounds.push(await deps());
      const start = process.cpuUsage();
      for (const round of rounds) for (const payment of payments) await screenSubject(round, caller, payment);
      const { user, system } = process.cpuUsage(start);
      if (batch >= 0) spent[at] = (spent[at] ?? 0) + user + system;
    }
  }
  return spent.map((micros) => micros / (BATCHES * ROUNDS_A_BATCH * CUSTOMERS));
}

const STAMPS = { note: null, created_at: '', updated_at: '', updated_by: '', since: '', version: 1, tree: null };
const COUNTERS = (
  [
    { name: 'attempts', count: 'attempts', value: null, by: ['device_fingerprint'], window: '1h' },
    { name: 'cards', count: 'distinct', value: 'attr.card_fingerprint', by: ['user_id'], window: '24h' },
    { name: 'spent', count: 'sum', value: 'amount', by: ['user_id', 'ip_network'], window: '7d' },
  ] as const
).map((each, at) => ({ ...each, number: at + 1, of: ['transaction'], where: null, ...STAMPS }));

/** The same screenings without the source of counters, without any counter, and with three that match. */
async function counterCosts(items: Items): Promise<OwnCpu['counters']> {
  const writes = [0, 0, 0];
  const rules = fixedRules([], { ...NO_DECLARATIONS, counters: COUNTERS });
  const { read, without } = counterSource;
  const variants = [{ read: without }, { read }, { read, rules }].map(({ read: reads, ...more }, at) => {
    const counted = new Map<string, EntityItem>();
    const record: EntityCalls['record'] = async (_account, { entity, params }) => {
      writes[at] = (writes[at] ?? 0) + 1;
      const item = counted.get(entity);
      if (item === undefined) counted.set(entity, applyUpdate(undefined, params).item ?? {});
      return { item, isApplied: true };
    };
    const counters = counterStore(undefined as never, { record, read: async () => [], aside: async () => undefined });
    return async () => {
      Object.assign(counterSource, { read: reads });
      return { ...onTheWire(parsedAgain(items)), counters, ...more };
    };
  });
  const [none = 0, unused = 0, used = 0] = await cpuMicros(variants);
  const perScreening = writes.map((all) => all / ((BATCHES + WARM_UP_BATCHES) * ROUNDS_A_BATCH * CUSTOMERS));
  return { unused: unused / none, used: used / unused, writes: perScreening.slice(1) };
}

/** As from responses, each read once: objects about which nothing is cached. */
const parsedAgain = (items: Items): Items =>
  new Map([...items].map(([key, item]) => [key, JSON.parse(JSON.stringify(item)) as EntityItem]));

async function main(): Promise<void> {
  const items = await warmItems();
  const [wireMicros = 0] = await cpuMicros([async () => onTheWire(parsedAgain(items))]);
  const [micros = 0] = await cpuMicros([() => inMemory(items)]);
  const counters = await counterCosts(items);
  process.send?.({ micros, wireMicros, items: Object.fromEntries(items), counters } satisfies OwnCpu);
}

void main();
