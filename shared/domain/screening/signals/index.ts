import type { SignalDefinition } from '../signal-definition';
import { amountAnomaly } from './amount-anomaly';
import { anonymousIp } from './anonymous-ip';
import { attributeRisk } from './attribute-risk';
import { cardTestingPattern } from './card-testing-pattern';
import { deviceSwitching } from './device-switching';
import { failedLoginBurst } from './failed-login-burst';
import { firstUseHighAmount } from './first-use-high-amount';
import { impossibleTravel } from './impossible-travel';
import { ipMismatch } from './ip-mismatch';
import { knownFraudDevice } from './known-fraud-device';
import { knownFraudIp } from './known-fraud-ip';
import { newDevice } from './new-device';
import { passwordResetThenPurchase } from './password-reset-then-purchase';
import { priorFraud } from './prior-fraud';
import { rapidSignupPurchase } from './rapid-signup-purchase';
import { repeatsStoppedAttempt } from './repeats-stopped-attempt';
import { sharedDevice } from './shared-device';
import { sharedIp } from './shared-ip';
import { trustedHistory } from './trusted-history';
import { unusualHour } from './unusual-hour';
import { velocitySpike } from './velocity-spike';

/** All signals. Their order does not matter: the score is the same in any order. */
export const SIGNALS: readonly SignalDefinition[] = [
  velocitySpike,
  cardTestingPattern,
  ipMismatch,
  impossibleTravel,
  anonymousIp,
  newDevice,
  deviceSwitching,
  sharedDevice,
  sharedIp,
  knownFraudDevice,
  knownFraudIp,
  amountAnomaly,
  firstUseHighAmount,
  rapidSignupPurchase,
  passwordResetThenPurchase,
  failedLoginBurst,
  unusualHour,
  attributeRisk,
  priorFraud,
  repeatsStoppedAttempt,
  trustedHistory,
];
