import type { Attempt, EntityKind } from '../shared/domain/entities/entity-history';
import { readHistory } from '../shared/store/entities/read-history';
import { recordAttemptUpdate } from '../shared/store/entities/record-attempt-update';
import { trimUpdate } from '../shared/store/entities/trim-update';
import { type EntityItem, itemSize, plainItem } from '../shared/store/sdk/attribute-value';
import {
  DAY_MS,
  generator,
  hostileAttempt,
  KINDS,
  live,
  newLife,
  ordinaryAttempt,
  START_MS,
} from './support/live-through';
import type { Measurement } from './support/measurement';

/* Prints bytes per kind after ordinary and hostile histories, and the time to record and read: `npm run bench -- entity-size`. */
type Make = (random: () => number, number: number, at_ms: number) => Attempt;

const LOADS: ReadonlyArray<{ name: string; make: Make; attempts: number; perDay: number }> = [
  { name: 'ordinary, 1 per week', make: ordinaryAttempt, attempts: 300, perDay: 1 / 7 },
  { name: 'ordinary, 1 per day', make: ordinaryAttempt, attempts: 1_000, perDay: 1 },
  { name: 'ordinary, 10 per day', make: ordinaryAttempt, attempts: 10_000, perDay: 10 },
  { name: 'ordinary, 300 per day', make: ordinaryAttempt, attempts: 10_000, perDay: 300 },
  { name: 'hostile, 100 per day', make: hostileAttempt, attempts: 20_000, perDay: 100 },
  { name: 'hostile, 1,500 per day', make: hostileAttempt, attempts: 20_000, perDay: 1_500 },
  { name: 'hostile, 14,000 per day', make: hostileAttempt, attempts: 20_000, perDay: 14_000 },
  { name: 'hostile, 1 per second', make: hostileAttempt, attempts: 20_000, perDay: 86_400 },
];

function lifeOf(kind: EntityKind, { make, attempts, perDay }: (typeof LOADS)[number]) {
  const random = generator(7);
  const life = newLife(kind);
  let atMs = START_MS;
  let bytes = 0;
  for (let number = 0; number < attempts; number++) {
    atMs += Math.round((-Math.log(1 - random()) * DAY_MS) / perDay);
    live(life, make(random, number, atMs));
    bytes += itemSize(life.item);
  }
  return { life, mean: bytes / attempts, atMs };
}

const TIMED = 2_000;
const ROUNDS = 15;

/** Four entities per attempt, recorded and read as in one screening, with the items of busy entities. */
function microseconds(make: Make): number {
  const random = generator(11);
  const items = new Map<EntityKind, EntityItem>();
  let lastMs = START_MS;
  for (const kind of KINDS) {
    const { life, atMs } = lifeOf(kind, { name: '', make, attempts: 2_000, perDay: 20 });
    items.set(kind, plainItem(life.item));
    lastMs = atMs;
  }
  const attempts = Array.from({ length: TIMED }, (_, n) => make(random, n, lastMs + n * 500));
  let sink = 0;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // New objects, as in a request: nothing cached about an item or attempt may help.
    const fresh = attempts.map((attempt) => ({
      attempt: { ...attempt },
      items: KINDS.map((kind) => ({ ...items.get(kind) })),
    }));
    const start = process.cpuUsage();
    for (const { attempt, items: old } of fresh) {
      for (const [at, kind] of KINDS.entries()) {
        const item = old[at] as EntityItem | undefined;
        sink += recordAttemptUpdate(kind, attempt).UpdateExpression.length;
        sink += readHistory(kind, item, attempt).transactions.total;
        if (item !== undefined) sink += trimUpdate(kind, item, attempt) === undefined ? 0 : 1;
      }
    }
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / TIMED);
  }
  if (sink < 0) throw new Error('unreachable');
  return times.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
}

/** How large items get, and the cost of one screening’s four. */
export function run(): Measurement[] {
  let largest = 0;
  for (const load of LOADS) {
    for (const kind of KINDS) {
      const { life, mean } = lifeOf(kind, load);
      largest = Math.max(largest, life.largestBytes);
      const trims = ((100 * life.trims) / life.attempts).toFixed(1);
      console.log(
        `${load.name.padEnd(24)} ${kind.padEnd(10)} mean ${mean.toFixed(0).padStart(4)}  largest ${life.largestBytes} bytes, trims ${trims}%`,
      );
    }
  }
  for (const [name, make] of [
    ['ordinary', ordinaryAttempt],
    ['hostile', hostileAttempt],
  ] as const) {
    console.log(`record + read + size check of four entities, ${name}: ${microseconds(make).toFixed(1)} µs`);
  }
  return [{ what: 'largest entity item after hostile traffic', found: `${largest} bytes`, aim: '≤ 1,024 bytes' }];
}
