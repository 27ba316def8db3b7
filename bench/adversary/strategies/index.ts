import type { Strategy } from '../strategy';
import { AGAINST_PEOPLE } from './against-people';
import { CARD_TESTERS } from './card-testers';
import { DISGUISED } from './disguised';
import { IN_NUMBERS } from './in-numbers';
import { mixOf } from './mix';
import { PATIENT } from './patient';
import { RETURNING } from './returning';

const FOR_MONEY = [...RETURNING, ...DISGUISED, ...IN_NUMBERS, ...PATIENT, ...CARD_TESTERS];

/** Every strategy, in the order in which it is reported. A new one is one entry in one of these lists. */
export const STRATEGIES: readonly Strategy[] = [...FOR_MONEY, mixOf(FOR_MONEY), ...AGAINST_PEOPLE];
