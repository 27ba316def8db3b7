import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import {
  canonicalAttribute,
  canonicalEmail,
  canonicalText,
  formOf,
  phoneCountry,
} from '../../../shared/domain/entities/canonical-value';
import { counterpartHashes, hash32, memberOf } from '../../../shared/domain/entities/counterpart-hashes';
import { entityNames, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { emailPattern, emailPatternOf } from '../../../shared/domain/screening/subjects/attempt-of';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { sized } from '../../support/sized';

describe('canonical value', () => {
  describe('a value in its canonical form', () => {
    it.each([
      ['a trailing space', 'ann ', 'ann'],
      ['spaces of any kind', '\u00a0\u3000\t ann\r\n', 'ann'],
      ['a zero-width space', 'an\u200bn', 'ann'],
      ['zero-width joiners', 'a\u200dn\u200cn', 'ann'],
      ['bidi controls', '\u202eann\u2069', 'ann'],
      ['a soft hyphen', 'an\u00adn', 'ann'],
      ['a byte order mark', '\ufeffann', 'ann'],
      ['variation selectors', 'ann\ufe0f\u{e0101}', 'ann'],
      ['tags', 'ann\u{e0061}\u{e007f}', 'ann'],
      ['fillers of Hangul and the blank of Braille', 'a\u3164n\uffa0n\u2800', 'ann'],
      ['control characters', 'a\u0000n\u009fn', 'ann'],
      ['full-width letters', '\uff41\uff4e\uff4e', 'ann'],
      ['a ligature', 'o\ufb03ce', 'office'],
      ['a letter and its accent, kept apart by a joiner', 'e\u200d\u0301', '\u00e9'],
    ])('is the same with and without %s', (_, written, canonical) => {
      expect(canonicalText(written)).toBe(canonical);
    });

    it('keeps what distinguishes people: case, inner spaces, other letters', () => {
      for (const text of ['Ann', 'ann b', 'анн', 'ann@', '張']) expect(canonicalText(text)).toBe(text);
    });

    it('is nothing for text that nobody can see', () => {
      for (const text of ['', ' ', '\u200b\u200b', '\u3164', ' \ufeff ']) expect(canonicalText(text)).toBe('');
    });

    it('is its own canonical form, whatever the text', () => {
      const text = fc.string({ unit: 'binary', maxLength: 40 });
      fc.assert(
        fc.property(text, (written) => {
          const canonical = canonicalText(written);
          expect(canonicalText(canonical)).toBe(canonical);
          const email = canonicalEmail(`${written}@Example.COM`);
          expect(canonicalEmail(email)).toBe(email);
          const phone = canonicalAttribute('phone', written, 'DE');
          expect(canonicalAttribute('phone', phone, 'DE')).toBe(phone);
        }),
        { numRuns: sized(2_000, 400) },
      );
    });
  });

  describe('an email address', () => {
    it.each([
      ['Mary.Jane@Example.com', 'mary.jane@example.com'],
      ['mary+shop@example.com', 'mary@example.com'],
      ['mary+a+b@example.com', 'mary@example.com'],
      ['m.a.r.y+x@gmail.com', 'mary@gmail.com'],
      ['Ma.ry@GoogleMail.com', 'mary@gmail.com'],
      ['mary@pm.me', 'mary@proton.me'],
      ['mary@me.com', 'mary@icloud.com'],
      ['mary@ya.ru', 'mary@yandex.ru'],
      ['mary@yandex.com', 'mary@yandex.ru'],
      ['mary-shop@yahoo.com', 'mary@yahoo.com'],
      ['mary-jane@example.com', 'mary-jane@example.com'],
      [' mary@example.com.\u200b', 'mary@example.com'],
      ['mary\uff20example.com', 'mary@example.com'],
      ['mary@b\u00fccher.example', 'mary@xn--bcher-kva.example'],
      ['+mary@example.com', '+mary@example.com'],
      ['not an address', 'not an address'],
    ])('%s is %s', (written, canonical) => {
      expect(canonicalEmail(written)).toBe(canonical);
    });

    it('keeps the dots of everyone but Gmail', () => {
      expect(canonicalEmail('m.jane@example.com')).not.toBe(canonicalEmail('mjane@example.com'));
    });
  });

  describe('a phone number', () => {
    it.each([
      '+49 (0)170 1234567',
      '+49 170 1234567',
      '+49-170-1234567',
      '0049 170 1234567',
      '+49 0170 / 12 34 567',
      '491701234567',
      'tel:+491701234567',
      '+491701234567 ext. 12',
      '\uff0b49 170 1234567',
    ])('%s is digits with country code', (written) => {
      expect(canonicalAttribute('phone', written)).toBe('491701234567');
    });

    it('without a country code gets one only where the country is certain', () => {
      const own = (billing?: string, ip?: string) =>
        canonicalAttribute('phone', '0170 1234567', phoneCountry(billing, ip));
      expect(own('DE', 'DE')).toBe('491701234567');
      expect(own('DE')).toBe('491701234567');
      expect(own('DE', 'FR')).toBe('01701234567');
      expect(own(undefined, 'DE')).toBe('01701234567');
      expect(own('IT', 'IT')).toBe('01701234567');
      expect(canonicalAttribute('phone', '(415) 555-2671', 'US')).toBe('14155552671');
      expect(canonicalAttribute('phone', '+1 415 555 2671', 'US')).toBe('14155552671');
      expect(canonicalAttribute('phone', '612 34 56', 'ES')).toBe('6123456');
      expect(canonicalAttribute('phone', '612 345 678', 'ES')).toBe('34612345678');
    });

    it('that is not one stays as it is', () => {
      for (const text of ['yes', '1-800-FLOWERS', '12', '+', '']) expect(canonicalAttribute('mobile', text)).toBe(text);
    });
  });

  it('a key says whether its value is an address or a number', () => {
    const emails = ['email', 'e_mail', 'E-Mail', 'mail', 'billing_email', 'customerEmail', 'email_address', 'email2'];
    const phones = [
      'phone',
      'mobile',
      'msisdn',
      'phone_number',
      'mobileNumber',
      'contact-tel',
      'shipping_phone',
      'phone_e164',
    ];
    const others = [
      'email_verified',
      'email_domain',
      'mail_order',
      'hotel',
      'phone_country',
      'address',
      'number',
      'éß',
    ];
    expect(emails.map(formOf)).toEqual(emails.map(() => 'email'));
    expect(phones.map(formOf)).toEqual(phones.map(() => 'phone'));
    expect(others.map(formOf)).toEqual(others.map(() => 'text'));
  });
});

describe('pseudonyms', () => {
  const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
  const sha = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const hmac = (by: Uint8Array, text: string): string =>
    createHmac('sha256', by).update(text).digest('base64url').slice(0, 22);

  describe('a pseudonym', () => {
    it('is HMAC-SHA-256 by the key of the stage, with the account in what is hashed', () => {
      const text = 'acc_1\nuser\nänn';
      expect(pseudonymsBy([key(1)]).of('acc_1', 'user', 'änn')).toBe(`1.${hmac(key(1), sha(text))}`);
      const all = [
        pseudonymsBy([key(1)]).of('acc_1', 'user', 'ann'),
        pseudonymsBy([key(1)]).of('acc_2', 'user', 'ann'),
        pseudonymsBy([key(1)]).of('acc_1', 'device', 'ann'),
        pseudonymsBy([key(2)]).of('acc_1', 'user', 'ann'),
      ];
      expect(new Set(all).size).toBe(4);
    });

    it('can be renewed without the value, when the key changes or where there was none', () => {
      const [first, second] = [pseudonymsBy([key(1)]), pseudonymsBy([key(1), key(2)])];
      const made = second.of('acc_1', 'user', 'ann');
      expect(made).toBe(`2.${hmac(key(2), hmac(key(1), sha('acc_1\nuser\nann')))}`);
      expect(second.renewed(first.of('acc_1', 'user', 'ann'))).toBe(made);
      expect(second.renewed(sha('acc_1\nuser\nann'))).toBe(made);
      expect(second.renewed(made)).toBe(made);
    });

    it('of a network is the same when it is remembered, and of no other account', () => {
      const pseudonyms = pseudonymsBy([key(1)]);
      const made = `1.${hmac(key(1), sha('acc_1\nnetwork\nAS3320'))}`;
      for (let asn = 3_320; asn < 8_400; asn++) pseudonyms.of('acc_1', 'network', `AS${asn}`);
      expect(pseudonyms.of('acc_1', 'network', 'AS3320')).toBe(made);
      expect(pseudonyms.of('acc_1', 'network', 'AS3320')).toBe(made);
      expect(pseudonyms.of('acc_2', 'network', 'AS3320')).not.toBe(made);
    });

    it('needs a key of full length', () => {
      expect(() => pseudonymsBy([])).toThrow('No key of 32 bytes');
      expect(() => pseudonymsBy([new Uint8Array(16)])).toThrow('No key of 32 bytes');
    });

    it('of an IPv4 address is not found by trying all addresses without the key', () => {
      const stored = pseudonymsBy([key(9)]).of('acc_1', 'ip', '203.0.113.7');
      const attackers = [sha, (text: string) => hmac(key(0), sha(text)), (text: string) => hmac(key(1), sha(text))];
      // The /24 that the attacker knows it is in: the rest of the address is all there is to find.
      for (let host = 0; host < 256; host++) {
        for (const guess of attackers) expect(stored).not.toContain(guess(`acc_1\nip\n203.0.113.${host}`));
      }
    });
  });

  describe('names of entities', () => {
    const names = entityNames('acc_1', pseudonymsBy([key(1)]));

    it('are the same for every spelling of the same thing', () => {
      expect(names.user('ann \u200b')).toEqual(names.user('ann'));
      expect(names.device(' fp\u00ad')).toEqual(names.device('fp'));
      expect(names.attribute('email', 'A.nn+x@Gmail.com')).toEqual(names.attribute('email', 'ann@gmail.com'));
      expect(names.attribute('phone', '0049 170 1234567')).toEqual(names.attribute('phone', '+49 (0)170 1234567'));
    });

    it('do not exist for what nobody can see, except that a user is always somebody', () => {
      expect(names.device('\u200b')).toBeUndefined();
      expect(names.attribute('email', ' ')).toBeUndefined();
      expect(names.user(' ').kind).toBe('user');
    });

    it('keep their kind, whatever the key of the attribute', () => {
      const ref = names.attribute('odd#key', 'x');
      expect(pseudonymOf(ref ?? { key: '' })).toMatch(/^1\.[\w-]{22}$/);
    });
  });

  /** Ids that an attacker found at home: for the unkeyed hash, all are in the same bucket of 4,096. */
  function colliding(count: number, salt: number): string[] {
    const wanted = hash32('id-0', salt) & 4095;
    const found: string[] = [];
    for (let n = 0; found.length < count; n++) if ((hash32(`id-${n}`, salt) & 4095) === wanted) found.push(`id-${n}`);
    return found;
  }

  it('ids chosen to share a bucket of a sketch no longer do', () => {
    const names = entityNames('acc_1', pseudonymsBy([key(7)]));
    const attempt = { attempt_id: '', at_ms: 0, action: 'signup', outcome: 'succeeded' } as const;
    const users = colliding(20, 11).map((id) =>
      memberOf(counterpartHashes({ ...attempt, user_id: pseudonymOf(names.user(id)) }), 'users', 4096),
    );
    const devices = colliding(14, 23).map((id) => {
      const device = pseudonymOf(names.exact('device', id));
      return memberOf(counterpartHashes({ ...attempt, user_id: 'u', device }), 'devices', 4096);
    });
    expect([new Set(users).size, new Set(devices).size]).toEqual([20, 14]);
  });
});

describe('the pattern of an email address', () => {
  it('is what addresses from one mould have in common', () => {
    const one = emailPattern('john.smith381@mail.example');
    expect(one).toBe('john.smith#@mail.example');
    expect(emailPattern('John.Smith9@MAIL.example')).toBe(one);
    expect(emailPattern('john.smith381+shop@mail.example')).toBe(one);
    expect(emailPattern('4john77smith1@mail.example')).toBe('#john#smith#@mail.example');
    // At Gmail, dots mean nothing.
    expect(emailPattern('j.ohnsmith7@googlemail.com')).toBe('johnsmith#@gmail.com');
  });

  it('differs by name and by provider', () => {
    const patterns = ['john.smith1@a.example', 'jane.smith1@a.example', 'john.smith1@b.example'].map(emailPattern);
    expect(new Set(patterns).size).toBe(3);
  });

  it.each([
    ['a name without a number', 'john.smith@mail.example'],
    ['a number in the domain only', 'john.smith@mail365.example'],
    ['a number in a tag only', 'john.smith+2@mail.example'],
    ['a phone number', '4915112345678@mail.example'],
    ['hardly a name', 'ann85@mail.example'],
    ['no address', 'john381'],
    ['nothing', ''],
  ])('there is none of %s', (_title, email) => {
    expect(emailPattern(email)).toBeUndefined();
  });

  it('is read for signups and payments, by a pseudonym of the account', () => {
    const custom_attributes = { email: 'john.smith381@mail.example' };
    const of = (accountId: string, action: 'signup' | 'transaction' | 'login', settings = DEFAULT_SETTINGS) =>
      emailPatternOf(entityNames(accountId, PUBLIC_PSEUDONYMS), { action, custom_attributes }, settings);
    const [ref] = of('acc_1', 'signup');
    expect(ref).toMatchObject({ kind: 'network', name: 'email_pattern' });
    expect(ref?.key).not.toContain('smith');
    expect(of('acc_1', 'transaction')).toEqual([ref]);
    expect(of('acc_2', 'signup')[0]?.key).not.toBe(ref?.key);
    expect(of('acc_1', 'login')).toEqual([]);
    expect(of('acc_1', 'signup', { ...DEFAULT_SETTINGS, tracked_attributes: ['phone'] })).toEqual([]);
    expect(emailPatternOf(entityNames('acc_1', PUBLIC_PSEUDONYMS), { action: 'signup' }, DEFAULT_SETTINGS)).toEqual([]);
  });
});

it('seals as AES in counter mode does, from a block that only the context leads to', () => {
  const key = Buffer.alloc(32, 7);
  const sealing = Buffer.from(hkdfSync('sha256', key, '', 'fraud-screening evidence key v1', 32));
  const pseudonyms = pseudonymsBy([key]);
  for (const context of ['acc_1/a', 'acc_1/b', 'acc_2/a']) {
    const start = createHash('sha256').update(context).digest().subarray(0, 16);
    for (const length of [560, 16, 17, 1, 0, 33]) {
      const plain = 'what was sent '.repeat(40).slice(0, length);
      const theirs = createCipheriv('aes-256-ctr', sealing, start).update(plain);
      const sealed = pseudonyms.seal(context, plain);
      expect(Buffer.from(sealed).subarray(1)).toEqual(theirs);
      expect(pseudonymsBy([key]).open(context, sealed)).toBe(plain);
    }
  }
});
