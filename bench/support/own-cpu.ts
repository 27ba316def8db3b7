import { readFileSync } from 'node:fs';
import { applyUpdate } from '../../shared/domain/entities/apply-update';
import type { EntityItem } from '../../shared/domain/entities/attribute-value';
import type { Attempt } from '../../shared/domain/entities/entity-history';
import type { EntityRef } from '../../shared/domain/entities/entity-ref';
import { readHistory } from '../../shared/domain/entities/read-history';
import { touchUpdate } from '../../shared/domain/entities/touch-update';
import { trimUpdate } from '../../shared/domain/entities/trim-update';
import { openIpTable } from '../../shared/domain/ip/ip-table';
import { newUlid } from '../../shared/runtime/ids';
import { type ScreenSubjectDeps, screenSubject } from '../../shared/usecases/screen-subject';
import { caller, subject } from './ordinary-payment';

// Run as a bundle, like the deployed code: a TypeScript loader's getters on every import would be half of the figure.
const OWN_ROUNDS = 20_000;
const [, , ipTableFile = ''] = process.argv;
const ips = openIpTable(readFileSync(ipTableFile));

/** A store that knows each entity's item beforehand: what is measured is our own work, not the store's. */
function cannedDeps(items: Map<string, EntityItem>): ScreenSubjectDeps {
  return {
    clock: { now: () => Date.now() },
    newUlid,
    pause: async () => undefined,
    ips,
    entities: {
      touch: async (_account: string, ref: EntityRef, attempt: Attempt) => {
        touchUpdate(ref.kind, attempt);
        const item = items.get(ref.key);
        return { ref, item, history: readHistory(ref.kind, item, attempt, false) };
      },
      untouch: async () => undefined,
      trim: async (_account, { ref, item }, atMs) =>
        item !== undefined && trimUpdate(ref.kind, item, atMs) !== undefined,
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

/** A month of ordinary history for each entity, and how large the items are. */
async function warmItems(): Promise<Map<string, EntityItem>> {
  const items = new Map<string, EntityItem>();
  const deps = cannedDeps(items);
  let now = Date.now() - 30 * 86_400_000;
  const learn: ScreenSubjectDeps = {
    ...deps,
    clock: { now: () => now },
    entities: {
      ...deps.entities,
      touch: async (_account, ref, attempt) => {
        const before = items.get(ref.key);
        const { item: after } = applyUpdate(before, touchUpdate(ref.kind, attempt));
        const trim = after && trimUpdate(ref.kind, after, attempt.at_ms);
        const trimmed = trim ? applyUpdate(after, trim).item : after;
        if (trimmed) items.set(ref.key, trimmed);
        return { ref, item: before, history: readHistory(ref.kind, before, attempt, false) };
      },
    },
  };
  for (let i = 0; i < 60; i++) {
    now += 12 * 3_600_000 - (i % 7) * 600_000;
    await screenSubject(learn, caller, subject);
  }
  return items;
}

async function ownCpuMicros(items: Map<string, EntityItem>): Promise<number> {
  const deps = cannedDeps(items);
  for (let i = 0; i < 2_000; i++) await screenSubject(deps, caller, subject);
  const start = process.cpuUsage();
  for (let i = 0; i < OWN_ROUNDS; i++) await screenSubject(deps, caller, subject);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / OWN_ROUNDS;
}

async function main(): Promise<void> {
  const items = await warmItems();
  const micros = await ownCpuMicros(items);
  process.send?.({ micros, items: Object.fromEntries(items) });
}

void main();
