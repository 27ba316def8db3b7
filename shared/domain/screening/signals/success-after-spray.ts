import { all, any, atLeast, type Condition, isFalse, isTrue, not } from '../condition';
import { duration } from '../sentence';
import type { SignalCase, SignalDefinition } from '../signal-definition';
import { graded } from '../strength';

const ORIGINS = [
  ['ip', 'from the same IP address', isTrue('user_ip_seen')],
  ['network', 'from the same network', isTrue('user_ip_seen')],
  ['device', 'on the same device', isTrue('user_device_seen')],
] as const satisfies ReadonlyArray<readonly ['ip' | 'network' | 'device', string, Condition]>;

/** What a thief does once a password was right. Somebody who signs up or forgot a password has not guessed one. */
const isThroughTheDoor = all(isFalse('is_failed'), any(isTrue('is_login'), isTrue('is_transaction')));

const casesOf = ([of, where, isOwn]: (typeof ORIGINS)[number]): readonly SignalCase[] => {
  const isAfterSpray = all(atLeast(`${of}_since_spray_s`, 0), isThroughTheDoor);
  const detail: SignalCase['detail'] = (value, { attempt }) => {
    const what = attempt.action === 'transaction' ? 'Purchase' : 'Login';
    const seconds = value(`${of}_since_spray_s`);
    return seconds < 1
      ? `${what} during a password spray ${where}`
      : `${what} ${duration(seconds)} after a password spray ${where}`;
  };
  return [
    {
      when: all(isAfterSpray, not(isOwn)),
      strength: graded(`${of}_since_spray_s`, [0, 6.8], [3_600, 6]),
      detail,
    },
    { when: all(isAfterSpray, isOwn), strength: 0.5, detail },
  ];
};

/** The place has just tried many users' passwords, and one was right: this is hardly the user. */
export const successAfterSpray: SignalDefinition = {
  name: 'success_after_spray',
  summary:
    'a successful login, or a purchase, from an IP address, network or device with a password spray in the last hour',
  family: 'crowd',
  applies_to: 'both',
  cases: ORIGINS.flatMap(casesOf),
};
