import { all, any, atLeast, isFalse, isTrue, not } from '../condition';
import { duration } from '../sentence';
import type { SignalCase, SignalDefinition } from '../signal-definition';
import { SPRAY_ORIGINS, type SprayOrigin } from '../spray-origins';
import { graded } from '../strength';

/** What a thief does once a password was right. Somebody who signs up or forgot a password has not guessed one. */
const isThroughTheDoor = all(isFalse('is_failed'), any(isTrue('is_login'), isTrue('is_transaction')));

const casesOf = ([of, place, isOwn]: SprayOrigin): readonly SignalCase[] => {
  const isAfterSpray = all(atLeast(`${of}_since_spray_s`, 0), isThroughTheDoor);
  const detail: SignalCase['detail'] = (value, { attempt }) => {
    const what = attempt.action === 'transaction' ? 'Purchase' : 'Login';
    const seconds = value(`${of}_since_spray_s`);
    return seconds < 1
      ? `${what} during a password spray from the same ${place}`
      : `${what} ${duration(seconds)} after a password spray from the same ${place}`;
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
  cases: SPRAY_ORIGINS.flatMap(casesOf),
};
