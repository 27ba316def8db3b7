import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { isSampled, SAMPLE_STANDS_FOR } from '../../../shared/domain/screening/subjects/record-members';
import { encodeUlid, ULID_RANDOM_BYTES } from '../../../shared/domain/ulid';

const random = seededRandom(5);
const ulids = Array.from({ length: 64_000 }, () =>
  encodeUlid(
    1_700_000_000_000,
    Uint8Array.from({ length: ULID_RANDOM_BYTES }, () => 256 * random()),
  ),
);

it('keeps as many of those let through as each stands for', () => {
  const kept = ulids.filter((ulid) => isSampled({ ulid, automated_decision: 'allow' })).length;
  expect((kept * SAMPLE_STANDS_FOR) / ulids.length).toBeCloseTo(1, 1);
});

it('chooses by the last two characters, as it always has', () => {
  const chosen = ulids.filter((ulid) => isSampled({ ulid, automated_decision: 'allow' }));
  expect(chosen).toEqual(ulids.filter((ulid) => /0[0-9A-F]$/.test(ulid)));
});

it.each(['review', 'block'] as const)('presumes nothing of a %s', (automated_decision) => {
  expect(ulids.filter((ulid) => isSampled({ ulid, automated_decision }))).toEqual([]);
});
