import type { SignalDefinition } from '../signal-definition';
import { amountAnomaly } from './amount-anomaly';
import { anonymousIp } from './anonymous-ip';
import { attributeRisk } from './attribute-risk';
import { cardTestingPattern } from './card-testing-pattern';
import { deviceSwitching } from './device-switching';
import { extremeAmount } from './extreme-amount';
import { failedLoginBurst } from './failed-login-burst';
import { firstUseHighAmount } from './first-use-high-amount';
import { impossibleTravel } from './impossible-travel';
import { ipMismatch } from './ip-mismatch';
import { knownFraudDevice } from './known-fraud-device';
import { knownFraudIp } from './known-fraud-ip';
import { newAccountBurst } from './new-account-burst';
import { newCountry } from './new-country';
import { newDevice } from './new-device';
import { passwordResetThenPurchase } from './password-reset-then-purchase';
import { passwordSpray } from './password-spray';
import { priorFraud } from './prior-fraud';
import { rapidSignupPurchase } from './rapid-signup-purchase';
import { repeatsStoppedAttempt } from './repeats-stopped-attempt';
import { sharedDevice } from './shared-device';
import { sharedIp } from './shared-ip';
import { successAfterSpray } from './success-after-spray';
import { trustedHistory } from './trusted-history';
import { unusualHour } from './unusual-hour';
import { unverifiedAgent } from './unverified-agent';
import { velocitySpike } from './velocity-spike';

/**
 * All signals. The score is the same in any order; their positions are their numbers in CloudWatch, so a new one goes to
 * the end.
 */
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
  extremeAmount,
  rapidSignupPurchase,
  passwordResetThenPurchase,
  failedLoginBurst,
  passwordSpray,
  successAfterSpray,
  unusualHour,
  attributeRisk,
  priorFraud,
  repeatsStoppedAttempt,
  trustedHistory,
  unverifiedAgent,
  newAccountBurst,
  newCountry,
];
