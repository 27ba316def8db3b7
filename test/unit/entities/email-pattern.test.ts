import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { emailPattern, emailPatternOf } from '../../../shared/domain/screening/subjects/attempt-of';

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
      emailPatternOf(entityNames(accountId), { action, custom_attributes }, settings);
    const [ref] = of('acc_1', 'signup');
    expect(ref).toMatchObject({ kind: 'network', name: 'email_pattern' });
    expect(ref?.key).not.toContain('smith');
    expect(of('acc_1', 'transaction')).toEqual([ref]);
    expect(of('acc_2', 'signup')[0]?.key).not.toBe(ref?.key);
    expect(of('acc_1', 'login')).toEqual([]);
    expect(of('acc_1', 'signup', { ...DEFAULT_SETTINGS, tracked_attributes: ['phone'] })).toEqual([]);
    expect(emailPatternOf(entityNames('acc_1'), { action: 'signup' }, DEFAULT_SETTINGS)).toEqual([]);
  });
});
