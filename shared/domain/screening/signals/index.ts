import type { SignalDefinition } from '../signal-definition';
import {
  anonymousIp,
  disposableEmail,
  impossibleTravel,
  ipMismatch,
  knownFraudIp,
  newCountry,
  sharedIp,
} from './address-signals';
import { amountAnomaly, extremeAmount, firstUseHighAmount, splitPayments } from './amount-signals';
import { deviceSwitching, knownFraudDevice, newDevice, sharedCard, sharedDevice } from './device-signals';
import {
  attributeRisk,
  priorFraud,
  repeatsStoppedAttempt,
  trustedHistory,
  unusualHour,
  unverifiedAgent,
} from './history-signals';
import { failedLoginBurst, passwordResetThenPurchase, passwordSpray, successAfterSpray } from './login-signals';
import {
  cardTestingPattern,
  cvcGuessing,
  declinedCards,
  newAccountBurst,
  rapidSignupPurchase,
  velocitySpike,
} from './pace-signals';

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
  sharedCard,
  splitPayments,
  declinedCards,
  cvcGuessing,
  disposableEmail,
];
