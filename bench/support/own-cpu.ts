import { readFileSync } from 'node:fs';
import { applyUpdate } from '../../shared/domain/entities/apply-update';
import type { EntityItem } from '../../shared/domain/entities/attribute-value';
import type { Attempt } from '../../shared/domain/entities/entity-history';
import type { EntityRef } from '../../shared/domain/entities/entity-ref';
import { readTouched } from '../../shared/domain/entities/read-touched';
import { touchUpdate } from '../../shared/domain/entities/touch-update';
import { openIpTable } from '../../shared/domain/ip/ip-table';
import type { Subject } from '../../shared/domain/subjects/attempt-of';
import { newUlid } from '../../shared/runtime/ids';
import { entityKey } from '../../shared/store/keys';
import { type ScreenSubjectDeps, screenSubject } from '../../shared/usecases/screen-subject';
import { caller, subject } from './ordinary-payment';

// Run as a bundle, like the deployed code: a TypeScript loader's getters on every import would be half of the figure.
const CUSTOMERS = 25;
const ROUNDS_A_BATCH = 4;
const BATCHES = 250;
const WARM_UP_BATCHES = 100;
const [, , ipTableFile = ''] = process.argv;
const ips = openIpTable(readFileSync(ipTableFile));

/** Different people, so that no two items that follow one another have the same attributes. */
const payments: readonly Subject[] = Array.from({ length: CUSTOMERS }, (_, n) => ({
  ...subject,
  user_id: n === 0 ? subject.user_id : `user-${n}`,
  ip_address: n === 0 ? subject.ip_address : `91.0.${n}.1`,
  device_fingerprint: n === 0 ? subject.device_fingerprint : `fp_${n}`,
  custom_attributes: n === 0 ? subject.custom_attributes : { card_fingerprint: `card_${n}` },
}));

/** A store that has each entity's item at hand: what is measured is our own work, not the store's. */
function cannedDeps(itemOf: (key: string) => EntityItem | undefined): ScreenSubjectDeps {
  return {
    clock: { now: () => Date.now() },
    newUlid,
    pause: async () => undefined,
    ips,
    entities: {
      touch: async (_account: string, ref: EntityRef, attempt: Attempt) => {
        touchUpdate(ref.kind, attempt);
        const item = itemOf(ref.key);
        const { history, trim } = readTouched(ref.kind, item, attempt);
        return { ref, history, trim };
      },
      untouch: async () => undefined,
      trim: async () => undefined,
    },
    claims: { claim: async () => undefined, takeOver: async () => true, release: async () => undefined },
    screenings: {
      find: async () => undefined,
      insert: async () => undefined,
      insertWithCase: async () => undefined,
      countDecision: async () => undefined,
    },
    observe: () => undefined,
  };
}

/** A month of ordinary history for each entity. */
async function warmItems(): Promise<Map<string, EntityItem>> {
  const items = new Map<string, EntityItem>();
  const deps = cannedDeps((key) => items.get(key));
  let now = 0;
  const learn: ScreenSubjectDeps = {
    ...deps,
    clock: { now: () => now },
    entities: {
      ...deps.entities,
      touch: async (account, ref, attempt) => {
        const { pk, sk } = entityKey(account, ref.key);
        // Through JSON: what a store hands over was never made member by member, and V8 reads the two differently.
        const before = JSON.parse(JSON.stringify(items.get(ref.key) ?? { pk: { S: pk }, sk: { S: sk } }));
        const { item: after = before } = applyUpdate(before, touchUpdate(ref.kind, attempt));
        const { history, trim } = readTouched(ref.kind, before, attempt);
        items.set(ref.key, (trim && applyUpdate(after, trim).item) ?? after);
        return { ref, history, trim };
      },
    },
  };
  for (const [number, payment] of payments.entries()) {
    now = Date.now() - 30 * 86_400_000;
    for (let i = 0; i < 60; i++) {
      now += 12 * 3_600_000 - ((i * (number + 1)) % 7) * 600_000;
      await screenSubject(learn, caller, payment);
    }
  }
  return items;
}

/** Every item is read once, and is as a response brings it: an object that nothing was remembered of. */
async function ownCpuMicros(items: ReadonlyMap<string, EntityItem>): Promise<number> {
  const texts = new Map([...items].map(([key, item]) => [key, JSON.stringify(item)]));
  let spent = 0;
  for (let batch = -WARM_UP_BATCHES; batch < BATCHES; batch++) {
    const rounds = Array.from({ length: ROUNDS_A_BATCH }, () => {
      const fresh = new Map([...texts].map(([key, text]) => [key, JSON.parse(text) as EntityItem]));
      return cannedDeps((key) => fresh.get(key));
    });
    const start = process.cpuUsage();
    for (const deps of rounds) for (const payment of payments) await screenSubject(deps, caller, payment);
    const { user, system } = process.cpuUsage(start);
    if (batch >= 0) spent += user + system;
  }
  return spent / (BATCHES * ROUNDS_A_BATCH * CUSTOMERS);
}

async function main(): Promise<void> {
  const items = await warmItems();
  const micros = await ownCpuMicros(items);
  process.send?.({ micros, items: Object.fromEntries(items) });
}

void main();
