import { mostSpent } from '../entities/common-history';
import { isEstablished, isFamiliarDevice } from '../entities/earning';
import type { Attempt, EntityHistory, Window } from '../entities/entity-history';
import { atMostUsd } from './currency-rates';
import type { Exposure, ScreeningFacts } from './screening-facts';

/*
 * A theft in pieces is still one theft. The sum of what somebody has spent lately is as much a fact of an attempt as its
 * amount: anyone who would be stopped with all of it at once is stopped with the last piece of it.
 */

/** A card, device or address with more users says nothing about one of them; other signals cover crowds. */
const MOST_USERS = 5;
/** A sum up to this many times the average for its span is usual for a device or a card; people use several by turns. */
const USUAL_TIMES = 4;
const DAYS_BEFORE = 23;
const DAY_MS = 86_400_000;
/** A second payment counts from this amount on: people add a bag to a computer. */
const SECOND_USD = 200;

/** The amount of a payment in US dollars; undefined if it is not a payment. */
export function usdOf({ action, amount, amount_usd, currency = 'USD' }: Attempt): number | undefined {
  if (action !== 'transaction') return undefined;
  return amount_usd ?? (amount === undefined ? undefined : atMostUsd(amount, currency));
}

const spentIn = ({ transactions }: EntityHistory, window: Window): number => transactions.windows[window].amount_usd;

/** Average spending per day in the weeks before the last. */
export const usualDaily = (history: EntityHistory): number =>
  Math.max(0, spentIn(history, '30d') - spentIn(history, '7d')) / DAYS_BEFORE;

const earlierThisWeek = (history: EntityHistory): number => Math.max(0, spentIn(history, '7d') - mostSpent(history));

function exposureOf(history: EntityHistory, whose: string, usd: number, atMs: number): Exposure {
  const { windows } = history.transactions;
  return {
    whose,
    payments: { day: windows['24h'].count + 1, week: windows['7d'].count + 1 },
    hour: windows['1h'].amount_usd + usd,
    day: mostSpent(history) + usd,
    week: windows['7d'].amount_usd + usd,
    isSplit: {
      day: windows['24h'].count >= 2 || (windows['24h'].count >= 1 && usd >= SECOND_USD),
      week: windows['7d'].count >= 1,
    },
    isNew: !(isEstablished(history, atMs) && history.transactions.established > 0),
  };
}

const isElsewhere = (attempt: Attempt, user: EntityHistory): boolean =>
  attempt.device !== undefined && isEstablished(user, attempt.at_ms) && !isFamiliarDevice(user, attempt.at_ms);

const PERSONAL: Readonly<Record<string, string>> = {
  card_fingerprint: 'with this card',
  email: 'with this email address',
};

/** The exposure of the user, and of things that someone else may have used, unless usual for them. */
export function exposuresOf({ attempt, user, device, ip_history, attributes }: ScreeningFacts): readonly Exposure[] {
  const { at_ms } = attempt;
  const usd = usdOf(attempt);
  if (usd === undefined) return [];
  const found: Exposure[] = [];
  if (user !== undefined) {
    const exposure = exposureOf(user, 'by this user', usd, at_ms);
    // The owner's spending at home last week is not a thief's; spending on the new device is counted with that device.
    found.push(isElsewhere(attempt, user) ? { ...exposure, week: exposure.day } : exposure);
  }
  const consider = (history: EntityHistory | undefined, whose: string): void => {
    if (history === undefined || history.transactions.windows['7d'].count === 0) return;
    if ((history.distinct.users ?? 0) > MOST_USERS) return;
    const exposure = exposureOf(history, whose, usd, at_ms);
    const usual = USUAL_TIMES * usualDaily(history);
    if (exposure.day > usual || exposure.week > 7 * usual) found.push(exposure);
  };
  consider(device, 'on this device');
  if (attempt.network === undefined || attempt.network === 'other') consider(ip_history, 'from this IP address');
  for (const { key, history } of attributes) {
    const whose = PERSONAL[key];
    if (whose !== undefined) consider(history, whose);
  }
  return found;
}

/**
 * Spent earlier in the week by a user with the card and email address that they use now, on a device of a day ago on which a part of it
 * was paid: a thief who wants to spend more than somebody new has charged as much to this card before, on other days, and nobody objected.
 */
export function spentEarlier({ attempt, user, device, attributes }: ScreeningFacts): number {
  if (user?.own_device === undefined || attempt.at_ms - user.own_device.since_ms < DAY_MS) return 0;
  const isWithoutCard = !attributes.some(({ key }) => key === 'card_fingerprint');
  if (isElsewhere(attempt, user) || (isWithoutCard && (user.distinct.cards ?? 0) > 0)) return 0;
  let least = Math.min(earlierThisWeek(user), device === undefined ? 0 : USUAL_TIMES * earlierThisWeek(device));
  for (const { key, history } of attributes) {
    if (PERSONAL[key] !== undefined) least = Math.min(least, history === undefined ? 0 : earlierThisWeek(history));
  }
  return least;
}

/** The usual daily total of this user's payments in US dollars; undefined if nothing shows it yet. */
export function usualAboveUsd(user: EntityHistory, atMs: number): number | undefined {
  if (user.largest_day?.usual_usd !== undefined) return user.largest_day.usual_usd;
  const { count, mean_log, sd_log } = user.amounts_usd;
  // Older customers have no stored maximum: use one amount in twenty, within bounds that cents cannot move.
  return isEstablished(user, atMs) && count > 0 ? Math.exp(mean_log + 2 * Math.min(1, sd_log)) : undefined;
}

/** Assumed large days per week: a week's total is compared with one of them. */
const LARGE_DAYS = 3;
const NOTABLE_USD = 100;
/** A sum hardly larger than its last payment adds nothing. */
const NOTABLE_TIMES = 1.5;

/**
 * The same attempt for all that it completes: as if the largest sum of a day, or a third of a week's, were paid at once. Undefined if that
 * is not notably more than its amount.
 */
export function asWhole(facts: ScreeningFacts, exposures = exposuresOf(facts)): ScreeningFacts | undefined {
  const { attempt } = facts;
  const usd = usdOf(attempt) ?? 0;
  let whole = 0;
  for (const { day, week } of exposures) whole = Math.max(whole, day, week / LARGE_DAYS);
  if (usd === 0 || whole < Math.max(NOTABLE_USD, NOTABLE_TIMES * usd)) return undefined;
  const amount = (attempt.amount ?? usd) * (whole / usd);
  return { ...facts, attempt: { ...attempt, amount, amount_usd: whole }, exposures };
}
