import { hash32 } from '../../../shared/domain/entities/counterpart-hashes';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { riskProfileAnswer } from '../../../shared/http/presenters/risk-profile-answer';
import { newUlid } from '../../../shared/runtime/ids';
import { SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { userRiskProfile } from '../../../shared/usecases/entities/user-risk-profile';
import { screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { memoryTable } from '../../support/memory/memory-table';
import { callerOf } from '../../support/payment';

const caller = callerOf('acc_1');
const pseudonyms = pseudonymsBy([new Uint8Array(32).fill(3)]);

/** Ids that an attacker found at home: for the unkeyed hash, all are in the same bucket of 4,096. */
function colliding(count: number, salt: number): string[] {
  const found: string[] = [];
  for (let n = 0; found.length < count; n++) if ((hash32(`id-${n}`, salt) & 4095) === 42) found.push(`id-${n}`);
  return found;
}
const honest = (count: number): string[] => Array.from({ length: count }, (_, n) => `honest-${n}`);

function world() {
  const table = memoryTable();
  let nowMs = Date.UTC(2026, 2, 1, 12);
  const deps = {
    ...SCREENING_STAND_INS,
    clock: { now: () => nowMs },
    newUlid,
    ips: { lookup: () => ({ country: 'DE', network: 'other' as const }) },
    pseudonyms: () => pseudonyms,
    entities: table.entities,
    claims: table.claims,
    screenings: table.screenings,
  };
  return {
    deps,
    /** The score of one more event, a minute after the last. */
    async screen(over: Partial<Subject>): Promise<number> {
      nowMs += 60_000;
      const subject: Subject = { subject_type: 'event', action: 'signup', outcome: 'succeeded', user_id: 'u', ...over };
      return (await screenSubject(deps, caller, subject)).record.risk_score;
    },
  };
}

async function signUpOnOneDevice(users: readonly string[]): Promise<number> {
  const { screen } = world();
  let last = 0;
  for (const user_id of users) last = await screen({ user_id, device_fingerprint: 'shared' });
  return last;
}

describe('ids chosen offline to collide in sketches', () => {
  it('do not hide twenty signups on one device', async () => {
    const [chosen, counted] = [await signUpOnOneDevice(colliding(20, 11)), await signUpOnOneDevice(honest(20))];
    expect(counted).toBeGreaterThanOrEqual(60);
    expect(chosen).toBeGreaterThanOrEqual(counted);
  });

  it('do not make fourteen devices of a user look like one', async () => {
    const { deps, screen } = world();
    for (const device_fingerprint of colliding(14, 23)) await screen({ action: 'login', device_fingerprint });
    const profile = riskProfileAnswer(await userRiskProfile(deps, caller, 'u'));
    expect(profile.devices.count).toBe(14);
  });
});

describe('the same thing, written differently', () => {
  it.each<[string, Partial<Subject>]>([
    ['a user with a trailing space', { user_id: 'u ' }],
    ['a user with a zero-width character', { user_id: '\u200bu' }],
    ['a device in full width', { device_fingerprint: '\uff46\uff50' }],
    ['an e-mail with a tag and in upper case', { custom_attributes: { email: 'ANN+shop@Gmail.com' } }],
    ['a phone in another format', { custom_attributes: { phone: '0049 170 1234567' } }],
    ['an address of the same /64', { ip_address: '2001:db8::ffff' }],
  ])('%s is the same entity, and answers echo what was sent', async (_, over) => {
    const { deps, screen } = world();
    const usual = {
      device_fingerprint: 'fp',
      ip_address: '2001:db8::1',
      custom_attributes: { email: 'a.nn@gmail.com', phone: '+49 (0)170 1234567' },
    };
    await screen(usual);
    const again: Subject = {
      ...{ subject_type: 'event', action: 'signup', outcome: 'succeeded', user_id: 'u', ...usual },
      ...over,
      custom_attributes: { ...usual.custom_attributes, ...over.custom_attributes },
    };
    const { record } = await screenSubject(deps, caller, again);
    expect(record.user_id).toBe(again.user_id);
    const seen = await Promise.all(
      record.entities.map((key) => deps.entities.profile(caller.account_id, 'user', key, deps.clock.now())),
    );
    expect(seen.map((profile) => profile?.events.total)).toEqual([2, 2, 2, 2, 2]);
    const { user_id, events } = riskProfileAnswer(await userRiskProfile(deps, caller, ' u\u200b'));
    expect([user_id, events.count]).toEqual([' u\u200b', 2]);
  });

  it('a device or attribute of which nothing is left is ignored', async () => {
    const { deps } = world();
    const { record } = await screenSubject(deps, caller, {
      ...{ subject_type: 'event', action: 'login', outcome: 'succeeded', user_id: 'u' },
      device_fingerprint: '\u200b',
      custom_attributes: { email: ' ' },
    });
    expect(record.entities).toHaveLength(1);
  });
});
