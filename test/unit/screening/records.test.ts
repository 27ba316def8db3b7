import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { CROWD_USERS } from '../../../shared/domain/entities/entity-links';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { forcedScreening } from '../../../shared/domain/screening/sandbox-decision';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import {
  isSampled,
  linkedEntities,
  newLinks,
  SAMPLE_STANDS_FOR,
} from '../../../shared/domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { encodeUlid, ULID_RANDOM_BYTES } from '../../../shared/domain/ulid';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { openCase } from '../../../shared/usecases/screening/effects/result';
import { newRecord, screeningReferences } from '../../../shared/usecases/screening/new-record';
import { DAY, HOUR, shopInMemory } from '../../support/shop-in-memory';
import { payment, preparedOf, readingsOfNone } from '../../support/traffic/payment';
import { screened } from '../../support/webhooks/changes';

describe('new links', () => {
  const OFFICE = { ip_address: '91.64.0.2' };

  describe('what is new to a user', () => {
    const names = entityNames('acc_1', PUBLIC_PSEUDONYMS);
    const refs = [names.user('ann'), names.exact('device', 'd'), names.exact('ip', 'i'), names.exact('ip', 'crowd')];
    const history = (users: number, seen: boolean) =>
      ({ first_seen_ms: 1, distinct: { users }, seen: { users: seen }, tried: { ips: seen } }) as never;
    const recorded = [
      { ref: refs[0] as never, history: history(0, true) },
      { ref: refs[1] as never, history: history(0, false) },
      { ref: refs[2] as never, history: history(3, true) },
      { ref: refs[3] as never, history: history(CROWD_USERS + 1, false) },
    ];

    it('is what was not seen with them, unless a crowd shares it', () => {
      expect(newLinks(DEFAULT_SETTINGS, { refs, recorded })).toEqual({ linked: '1' });
      expect(newLinks(DEFAULT_SETTINGS, { refs, recorded: recorded.slice(2) })).toEqual({});
    });

    it('is not kept by an account without history', () => {
      expect(newLinks({ keep_history: false }, { refs, recorded })).toEqual({});
    });
  });

  const linksIp = (record: ScreeningRecord): boolean => linkedEntities(record).some((key) => key.startsWith('ip#'));

  it('links every new user with an address, although its 64 buckets take some of them for known', async () => {
    const shop = shopInMemory();
    const people = Array.from({ length: CROWD_USERS }, (_, at) => `user-${at}`);
    const missed: string[] = [];
    for (const person of people) {
      if (!linksIp(await shop.pay(person, 25, OFFICE))) missed.push(person);
      shop.pass(HOUR);
    }
    expect(missed).toEqual([]);
  });

  it('links a known user with an address they come from for the first time, and once', async () => {
    const shop = shopInMemory();
    for (let at = 0; at < CROWD_USERS - 2; at += 1) await shop.pay(`user-${at}`, 25, OFFICE);
    const home = { device_fingerprint: 'phone of ann', ip_address: '84.60.0.1' };
    const there = { ...home, ...OFFICE };
    const links: boolean[] = [];
    for (const from of [home, home, there, there, home]) {
      shop.pass(DAY);
      links.push(linksIp(await shop.pay('ann', 25, from)));
    }
    expect(links).toEqual([true, false, true, false, false]);
  });

  it('writes a link again for fewer than two screenings in a hundred', async () => {
    const shop = shopInMemory();
    const random = seededRandom(7);
    const below = (count: number) => Math.floor(random() * count);
    const known = new Set<string>();
    const total = 1_500;
    let again = 0;
    for (let at = 0; at < total; at += 1) {
      // A third of the time on the road, and now and then on a new device.
      const person = below(75);
      const ip_address = `91.64.${random() < 0.3 ? 1 + below(4) : 0}.${person}`;
      const device_fingerprint = random() < 0.05 ? `new-${at}` : `phone-${person}`;
      const record = await shop.pay(`user-${person}`, 10 + below(90), { device_fingerprint, ip_address });
      if (linksIp(record) && known.has(ip_address)) again += 1;
      known.add(ip_address);
      shop.pass(HOUR);
    }
    expect(known.size).toBeGreaterThan(200);
    expect(again / total).toBeLessThan(0.02);
  });
});

describe('new record', () => {
  function recordOf(subject: Subject, over: Partial<Parameters<typeof newRecord>[2]> = {}) {
    const decided = { ...forcedScreening('review', DEFAULT_SETTINGS), ...over };
    const prepared = preparedOf(subject);
    const familiarity = { isAllowed: false, isStopped: true, earning: undefined, kept: {} };
    return newRecord(prepared, readingsOfNone(prepared), decided, { observed: [], familiarity });
  }

  it('names who took part by pseudonyms, and nothing that was not sent', () => {
    const record = recordOf(payment());
    expect(record).toMatchObject({
      ulid: '01M7K0BJGE3KXX8RS0EX2NQC2D',
      amount: 25,
      currency: 'EUR',
      automated_decision: 'review',
      screened_at_ms: 1_000_000,
    });
    expect(record.entities).toHaveLength(4);
    expect(JSON.stringify(record.entities)).not.toMatch(/user-1|device-1|card-1|91\.0/);
    for (const absent of ['event_type', 'agent', 'observed', 'what_if', 'shadow', 'counted_by', 'rules', 'lists'])
      expect(record).not.toHaveProperty(absent);
  });

  it('keeps the type of an event, and what would have been decided otherwise', () => {
    const { amount, currency, ...rest } = payment({ subject_type: 'event', action: 'login' });
    const what_if = [{ change: 'known_device', decision: 'allow' }] as const;
    expect(recordOf(rest, { what_if })).toMatchObject({ event_type: 'login', what_if });
    expect(recordOf(rest)).not.toHaveProperty('amount');
  });

  it('keeps what a shadow model thought, unless it failed', () => {
    const { screening } = forcedScreening('review', DEFAULT_SETTINGS);
    const thought = (risk_score: number | null) =>
      recordOf(payment(), { screening: { ...screening, shadow: { version: 'm2', risk_score, decision: null } } })
        .shadow;
    expect(thought(40)).toEqual({ version: 'm2', risk_score: 40 });
    expect(thought(null)).toBeUndefined();
  });
});

describe('screening references', () => {
  const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
  const payment = { subject_type: 'transaction', action: 'transaction', outcome: 'succeeded', user_id: 'ann' } as const;
  const at = { pseudonyms: PUBLIC_PSEUDONYMS, atMs: 1_000 };

  it('keeps nothing of a screening without references', () => {
    expect(screeningReferences(caller, payment, at)).toEqual({});
    expect(screeningReferences(caller, { ...payment, references: [] }, at)).toEqual({});
  });

  it('names references by pseudonyms, each once, until the label window ends', () => {
    const { references = [], kept_until_ms } = screeningReferences(
      caller,
      { ...payment, references: ['pi_1', 'pi_1', 'ch_1'] },
      at,
    );
    expect(references).toHaveLength(2);
    expect(JSON.stringify(references)).not.toMatch(/pi_1|ch_1/);
    expect(kept_until_ms).toBe(1_000 + 180 * 86_400_000);
  });
});

describe('traffic sample', () => {
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
});

describe('result', () => {
  const AT_MS = Date.UTC(2026, 2, 1);

  it('takes the pseudonym of the device along, so that cases of one device can be told', () => {
    const entities = ['user#aaa', 'device#bbb', 'attribute.email#ccc'];
    expect(openCase(screened(AT_MS, { entities }))).toMatchObject({ device: 'bbb' });
    expect(openCase(screened(AT_MS, { entities: ['user#aaa'] }))).not.toHaveProperty('device');
  });

  it('takes the trace of the request along, for the webhooks about it', () => {
    const trace = 'S_kvNXezTaajzpKdDg5HNgDwZ6oLqQK3AQ';
    expect(openCase(screened(AT_MS, { trace })).trace).toBe(trace);
  });

  it('is open, and names the signals that raised the score', () => {
    const contributions = [
      { signal: 'new_device', points: 20, detail: '' },
      { signal: 'trusted_history', points: -5, detail: '' },
    ];
    const record = screened(AT_MS, { contributions, risk_score: 70 });
    expect(openCase(record)).toEqual({
      ulid: record.ulid,
      ...{ subject_type: 'transaction', user_id: 'user-1', amount: '25', currency: 'EUR' },
      ...{ status: 'open', risk_score: 70, signals: ['new_device'], created_at_ms: AT_MS },
      ...{ resolved_at: null, resolved_by: null, notes: null },
    });
  });
});
