import type { Strategy } from '../play/strategy';
import { collideDevices } from './collide-devices';
import { collideSketches } from './collide-sketches';
import { collude } from './collude';
import { extremeAmount } from './extreme-amount';
import { followTheReasons } from './follow-the-reasons';
import { lowAndSlow } from './low-and-slow';
import { poisonLabels } from './poison-labels';
import { replaySession } from './replay-session';
import { retry } from './retry';
import { retryAfterRejection } from './retry-after-rejection';
import { rotateCard } from './rotate-card';
import { rotateDevice } from './rotate-device';
import { rotateEmail } from './rotate-email';
import { rotateIpv6 } from './rotate-ipv6';
import { rotateUserId } from './rotate-user-id';
import { smearDevice } from './smear-device';
import { smearLogins } from './smear-logins';
import { splitAmounts } from './split-amounts';
import { spray } from './spray';
import { waitADay } from './wait-a-day';
import { warmUp } from './warm-up';

/** Every strategy, in the order in which it is reported. */
export const STRATEGIES: readonly Strategy[] = [
  retry,
  waitADay,
  retryAfterRejection,
  splitAmounts,
  warmUp,
  followTheReasons,
  replaySession,
  rotateDevice,
  rotateIpv6,
  rotateEmail,
  rotateUserId,
  rotateCard,
  lowAndSlow,
  spray,
  collude,
  collideSketches,
  collideDevices,
  extremeAmount,
  smearDevice,
  smearLogins,
  poisonLabels,
];
