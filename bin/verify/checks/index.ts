import type { Check } from '../check';
import { alarms } from './alarms';
import { cases } from './cases';
import { consoleHeaders } from './console-headers';
import { decisions } from './decisions';
import { errors } from './errors';
import { keys } from './keys';
import { metrics } from './metrics';
import { outputs } from './outputs';
import { pages } from './pages';
import { repeats } from './repeats';
import { revocation } from './revocation';
import { schedules } from './schedules';
import { signedAuthorization } from './signed-authorization';
import { testPage } from './test-page';
import { webhooks } from './webhooks';

/** Every check, in order: metrics and alarms come after what they report on. */
export const CHECKS: readonly Check[] = [
  outputs,
  pages,
  keys,
  errors,
  decisions,
  cases,
  repeats,
  webhooks,
  consoleHeaders,
  signedAuthorization,
  schedules,
  metrics,
  alarms,
  testPage,
  revocation,
];
