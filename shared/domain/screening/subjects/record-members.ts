import { type AccountSettings, DEFAULT_SETTINGS } from '../../accounts/account';
import type { Counterpart, EntityHistory, EntityKind } from '../../entities/entity-history';
import { CROWD_USERS } from '../../entities/entity-links';
import type { EntityRef } from '../../entities/entity-ref';
import type { Subject } from './attempt-of';
import type { ScreeningRecord } from './screening-record';

/** Settings that a screening keeps: the account's own thresholds, and whether it is listed. */
export function recordedSettings(settings: AccountSettings): Pick<ScreeningRecord, 'thresholds' | 'unlisted'> {
  const own = ownThresholds(settings);
  return settings.keep_history === false ? { ...own, unlisted: true } : own;
}

/** Most accounts have the default thresholds, which need not be stored. */
function ownThresholds(settings: AccountSettings): Pick<ScreeningRecord, 'thresholds'> {
  const { challenge_threshold, review_threshold, block_threshold } = settings;
  const isUsual =
    challenge_threshold === undefined &&
    review_threshold === DEFAULT_SETTINGS.review_threshold &&
    block_threshold === DEFAULT_SETTINGS.block_threshold;
  if (isUsual) return {};
  const challenge = challenge_threshold === undefined ? {} : { challenge_threshold };
  return { thresholds: { ...challenge, review_threshold, block_threshold } };
}

const LONGEST = 128;
const CARD_NUMBER = /(\+?)((?:\d[ -]?){9,15}(\d{4}))(?!\d)/g;
const LONGEST_PHONE = 15;
/** Fewer digits are never taken for a card number, and counting them takes a tenth of the search for one. */
const LEAST_DIGITS = 13;

function hasCardDigits(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57 && ++digits >= LEAST_DIGITS) return true;
  }
  return false;
}

/** The check digit of every card number (ISO/IEC 7812): of other numbers, nine in ten fail it. */
const hasCheckDigit = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, at) => sum + ((Number(digit) * (1 + (at % 2)) - 1) % 9) + 1, 0) % 10 === 0;

const withoutCardNumber = (found: string, plus: string, number: string, last: string): string => {
  const digits = number.replace(/\D/g, '');
  const isOther = plus ? digits.length <= LONGEST_PHONE : digits === number && !hasCheckDigit(digits);
  return isOther ? found : `•••• ${last}`;
};

/** No analyst needs a whole card number, whatever the account sends; but those of orders and phones are searched for. */
export const masked = (value: string): string =>
  (hasCardDigits(value) ? value.replace(CARD_NUMBER, withoutCardNumber) : value).slice(0, LONGEST);

/** The attributes that the account wants its analysts to see, as sent; no others are kept. */
export function displayedAttributes(
  { displayed_attributes: keys = [] }: Pick<AccountSettings, 'displayed_attributes'>,
  { custom_attributes: sent = {} }: Pick<Subject, 'custom_attributes'>,
): Pick<ScreeningRecord, 'displayed'> {
  const shown = keys.filter((key) => Object.hasOwn(sent, key)).map((key) => [key, masked(sent[key] ?? '')] as const);
  return shown.length === 0 ? {} : { displayed: Object.fromEntries(shown) };
}

interface Recorded {
  readonly refs: readonly EntityRef[];
  readonly recorded: ReadonlyArray<{ readonly ref: EntityRef; readonly history: EntityHistory }>;
}

const REMEMBERED_AS: Partial<Record<EntityKind, Counterpart>> = { device: 'devices', ip: 'ips' };

/**
 * Whether an entity and a user were seen together before. Either set may take a new member for a known one, the 64 buckets
 * of an IP up to one new user in three: only what both sides know is known. A known pair that is not recognized gets its
 * link written again, which changes nothing.
 */
function isKnown({ kind }: EntityRef, entity: EntityHistory, user: EntityHistory | undefined): boolean {
  if (entity.seen.users !== true) return false;
  if (user === undefined) return true;
  const remembered = REMEMBERED_AS[kind];
  return user.first_seen_ms !== undefined && (remembered === undefined || user.tried[remembered] !== false);
}

/**
 * Which entities of an attempt had not been seen with its user: a reader of the stream writes a link for each, once per
 * pair. What a crowd shares gets no further links: nobody walks through it. Nor do those who only use the same agent.
 */
export function newLinks(
  { keep_history }: Pick<AccountSettings, 'keep_history'>,
  { refs, recorded }: Recorded,
): Pick<ScreeningRecord, 'linked'> {
  if (keep_history === false) return {};
  const user = recorded.find(({ ref }) => ref.kind === 'user')?.history;
  let linked = '';
  for (const { ref, history } of recorded) {
    if (ref.kind === 'user' || ref.kind === 'agent' || isKnown(ref, history, user)) continue;
    if ((history.distinct.users ?? 0) <= CROWD_USERS) linked += refs.indexOf(ref).toString(36);
  }
  return linked === '' ? {} : { linked };
}

/** The entities that a stored screening links to its user. */
export const linkedEntities = ({ linked = '', entities }: Pick<ScreeningRecord, 'linked' | 'entities'>): string[] =>
  [...linked].flatMap((position) => entities[Number.parseInt(position, 36)] ?? []);

/**
 * Only what was reviewed has a label, and what is reviewed is not like the rest: a model trained on labels alone would
 * think that half the world is fraud. So one in 64 allowed screenings is kept for training as presumed
 * legitimate, and counts for all 64. A later label replaces it. What was blocked, or waited for review until
 * it expired, is never presumed to be anything.
 */
export const SAMPLE_STANDS_FOR = 64;

/**
 * Presumed only after this time, in which a report, a warning or a review may say otherwise. Most chargebacks arrive later and
 * then replace the presumption; waiting for them would leave models without any recent honest traffic.
 */
export const PRESUMED_AFTER_MS = 3 * 86_400_000;

/**
 * By the random end of the ULID: the answer is always the same for the same screening. The last character but one is one
 * of 32, and of the 32 that the last may be, 16 come before G.
 */
export const isSampled = ({
  ulid,
  automated_decision,
}: Pick<ScreeningRecord, 'ulid' | 'automated_decision'>): boolean =>
  automated_decision === 'allow' && ulid.at(-2) === '0' && (ulid.at(-1) ?? 'Z') < 'G';
