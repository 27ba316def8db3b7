import type { Check } from '../check';
import { consoleHeaders, errors, keys, pages, ready, revocation, signedAuthorization } from './gateway';
import { afd, inbound, outcomes } from './integrations';
import { alarms, functions, metrics, outputs, schedules, testPage } from './operations';
import { personalData, signIn } from './people';
import { lists, rules } from './rules-and-lists';
import { cases, decisions, desk, explore, repeats } from './screening';
import { webhooks } from './webhooks';

/** Every check, in order: functions, metrics and alarms come after what they report on. */
export const CHECKS: readonly Check[] = [
  ...[outputs, ready, pages, keys, errors],
  ...[decisions, cases, desk, explore, repeats, rules, lists],
  ...[afd, outcomes, inbound, personalData, webhooks],
  ...[signIn, consoleHeaders, signedAuthorization],
  ...[schedules, functions, metrics, alarms, testPage, revocation],
];
