import fc from 'fast-check';
import {
  canonicalAttribute,
  canonicalEmail,
  canonicalText,
  formOf,
  phoneCountry,
} from '../../../shared/domain/entities/canonical-value';

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
      { numRuns: 2_000 },
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
  const others = ['email_verified', 'email_domain', 'mail_order', 'hotel', 'phone_country', 'address', 'number', 'éß'];
  expect(emails.map(formOf)).toEqual(emails.map(() => 'email'));
  expect(phones.map(formOf)).toEqual(phones.map(() => 'phone'));
  expect(others.map(formOf)).toEqual(others.map(() => 'text'));
});
