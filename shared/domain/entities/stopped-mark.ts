import { BASE64, counterpartHashes, hash32, hashText } from './counterpart-hashes';
import { isFamiliarDevice, isOnProbation } from './earning';
import type { Attempt, EntityHistory } from './entity-history';
import type { EntityRef } from './entity-ref';

/*
 * The mark of a stopped attempt in its user's history, in 15 characters, so that trying again does not help:
 *
 *   identity 2 · device 3 · card 2 · address 2     hashes; `~` where none was sent
 *   score, what was not familiar, amount 3         7 + 3 + 6 bits
 *   time 3                                         in steps of four hours, until the year 2089
 *
 * The mark is the same text wherever it is kept, so a person's decision can take it out of a set again.
 */

/** A blocked attempt, or one whose case nobody decided, is forgotten after this time; a rejected one never is. */
export const STOPPED_LIFE_MS = 30 * 86_400_000;

const STEP_MS = 4 * 3_600_000;
const IDENTITY_SALT = 0x73746f70;
const PART = { identity: [0, 2], device: [2, 5], card: [5, 7], ip: [7, 9], packed: [9, 12], time: [12, 15] } as const;
const DEVICE_CHARACTERS = 3;
const NEW_DEVICE = 4;
const NEW_CARD = 2;
const NEW_IP = 1;
/** Half an amount, in steps of a half power of two. */
const HALF = 2;
/** More than anyone pays, in the same steps. */
const MOST_STEP = 63;
/** 1,000 US dollars, likewise. */
const LARGE = 20;

const partOf = (mark: string, part: keyof typeof PART): string => mark.slice(...PART[part]);

const shortened = (hash: number | undefined, characters: number): string =>
  hash === undefined ? '~'.repeat(characters) : hashText(hash).slice(0, characters);

function numberText(value: number, characters: number): string {
  let text = '';
  for (let rest = Math.floor(value), left = characters; left > 0; left--, rest = Math.floor(rest / 64)) {
    text = BASE64.charAt(rest % 64) + text;
  }
  return text;
}

const numberOf = (text: string): number => [...text].reduce((sum, one) => sum * 64 + BASE64.indexOf(one), 0);

const amountStep = ({ amount_usd, amount }: Attempt): number => {
  const value = amount_usd ?? amount;
  return value === undefined ? 0 : Math.min(MOST_STEP, Math.max(1, Math.round(2 * Math.log2(value + 1))));
};

/** An attempt and all entities that took part in it: two attempts with the same are identical. */
export interface MarkedAttempt {
  readonly attempt: Attempt;
  readonly refs: ReadonlyArray<Pick<EntityRef, 'key'>>;
}

interface Used {
  readonly identity: string;
  readonly device: string;
  readonly card: string;
  readonly ip: string;
}

function usedBy({ attempt, refs }: MarkedAttempt): Used {
  const { devices, cards, ips } = counterpartHashes(attempt);
  return {
    identity: shortened(hash32(`${attempt.action} ${refs.map(({ key }) => key).join(' ')}`, IDENTITY_SALT), 2),
    device: shortened(devices, DEVICE_CHARACTERS),
    card: shortened(cards, 2),
    ip: shortened(ips, 2),
  };
}

/** Which of the things used are unfamiliar to the user; without a history nothing is known. */
function unfamiliar(attempt: Attempt, user: EntityHistory | undefined): number {
  if (user === undefined) return 0;
  const hasNoDevice = attempt.device === undefined && user.seen.devices === undefined;
  const isNewDevice = !hasNoDevice && !isFamiliarDevice(user, attempt.at_ms);
  return (
    (isNewDevice ? NEW_DEVICE : 0) | (user.seen.cards === false ? NEW_CARD : 0) | (user.seen.ips === false ? NEW_IP : 0)
  );
}

/** Why an attempt was stopped, if not for itself alone. */
interface StoppedFor {
  /** Only for what it added up to. @default false */
  readonly isForItsSum?: boolean;
  /** When the attempt was stopped that this one repeats, if only for that. @default its own time */
  readonly sinceMs?: number | undefined;
}

/**
 * The mark of an attempt that was stopped with a score. One that was stopped only for what it added up to is not repeated by
 * a payment of its amount, because sums are counted again each time; nor by anything where the user is new or at home.
 * One that was stopped only for what it repeats is forgotten with that: else somebody whom nobody reviews is stopped for
 * as long as they keep trying.
 */
export function stoppedMark(
  stopped: MarkedAttempt,
  user: EntityHistory | undefined,
  riskScore: number,
  { isForItsSum = false, sinceMs = stopped.attempt.at_ms }: StoppedFor = {},
): string {
  const { identity, device, card, ip } = usedBy(stopped);
  const { attempt } = stopped;
  const isAtHome = isForItsSum && user !== undefined && !isOnProbation(attempt, user);
  const amount = isForItsSum ? MOST_STEP : amountStep(attempt);
  const packed = (riskScore * 8 + (isAtHome ? 0 : unfamiliar(attempt, user))) * 64 + amount;
  return identity + device + card + ip + numberText(packed, 3) + numberText(sinceMs / STEP_MS, 3);
}

/** The score of a marked attempt, and when it was stopped, to four hours. */
export function markedScore(mark: string): { readonly risk_score: number; readonly at_ms: number } {
  return {
    risk_score: numberOf(partOf(mark, 'packed')) >> 9,
    at_ms: numberOf(partOf(mark, 'time')) * STEP_MS,
  };
}

/**
 * The amounts of attempts stopped since a time, in US dollars, to about a fifth. What was stopped was not spent; but anyone who tried it
 * is still trying. One that was stopped for its sum has no own amount.
 */
export function stoppedAmounts({ undecided, rejected }: EntityHistory['stopped_marks'], sinceMs: number): number[] {
  return [...undecided, ...rejected].flatMap((mark) => {
    const step = numberOf(partOf(mark, 'packed')) & 63;
    const isCounted = step > 0 && step < MOST_STEP && markedScore(mark).at_ms + STEP_MS > sinceMs;
    return isCounted ? [2 ** (step / 2) - 1] : [];
  });
}

/**
 * The highest score of what was stopped since a time; 0 if nothing was. On a familiar device, only of what was stopped on the same:
 * what a thief tried elsewhere says nothing of the owner at home.
 */
export function highestStopped(attempt: Attempt, user: EntityHistory, sinceMs: number): number {
  const { undecided, rejected } = user.stopped_marks;
  if (undecided.length + rejected.length === 0) return 0;
  const isAtHome = attempt.device !== undefined && isFamiliarDevice(user, attempt.at_ms);
  const device = isAtHome ? shortened(counterpartHashes(attempt).devices, DEVICE_CHARACTERS) : undefined;
  let highest = 0;
  for (const mark of [...undecided, ...rejected]) {
    const { risk_score, at_ms } = markedScore(mark);
    const isElsewhere = device !== undefined && partOf(mark, 'device') !== device;
    if (!isElsewhere && at_ms + STEP_MS > sinceMs) highest = Math.max(highest, risk_score);
  }
  return highest;
}

export const isForgotten = (mark: string, atMs: number): boolean => atMs - markedScore(mark).at_ms > STOPPED_LIFE_MS;

/** Things that were new then and still are: time alone makes no device familiar on which an attempt was stopped. */
function stillNew(mark: string, then: number, user: EntityHistory): number {
  const isKnownDevice = isFamiliarDevice(user, markedScore(mark).at_ms);
  return then & ((isKnownDevice ? 0 : NEW_DEVICE) | (user.seen.cards ? 0 : NEW_CARD) | (user.seen.ips ? 0 : NEW_IP));
}

const isSameDevice = (mark: string, { device }: Used): boolean =>
  partOf(mark, 'device') === device && !device.startsWith('~');

/**
 * Whether an attempt repeats a stopped one: it shares a device, a card or an address that was not familiar then and still
 * is not. On a familiar device an address alone does not count: people and thieves meet in the same café. An attempt like
 * the stopped one, for at least half its amount, repeats it until a person has approved what was new about it; so does a
 * large payment, of at least half, from the same device, whatever address, card or merchant it is tried with. (Not a small
 * one: otherwise a thief's stopped attempts would hold up everything that the victim buys.)
 */
function repeats(mark: string, { attempt }: MarkedAttempt, used: Used, user: EntityHistory): boolean {
  const packed = numberOf(partOf(mark, 'packed'));
  const isAsMuch = amountStep(attempt) >= (packed & 63) - HALF;
  if (isAsMuch && (packed & 63) >= LARGE && isSameDevice(mark, used)) return true;
  const then = (packed >> 6) & 7;
  const still = then === 0 ? 0 : stillNew(mark, then, user);
  if (then !== 0 && still === 0) return false;
  if (isAsMuch && partOf(mark, 'identity') === used.identity) return true;
  if (still & NEW_DEVICE && partOf(mark, 'device') === used.device) return true;
  if (still & NEW_CARD && partOf(mark, 'card') === used.card) return true;
  const isOnFamiliarDevice = attempt.device !== undefined && isFamiliarDevice(user, attempt.at_ms);
  return (still & NEW_IP) !== 0 && !isOnFamiliarDevice && partOf(mark, 'ip') === used.ip;
}

/** Without a device, a card and an address there is little to recognise a retry by. */
const isAnonymous = ({ device, card, ip }: Attempt): boolean =>
  device === undefined && card === undefined && ip === undefined;

const NOT_REPEATED = { risk_score: 0, at_ms: 0 };

/** The stopped attempt with the highest score that this one repeats; a score of 0 if there is none. */
export function repeated(made: MarkedAttempt, user: EntityHistory | undefined): ReturnType<typeof markedScore> {
  if (user === undefined) return NOT_REPEATED;
  const { undecided, rejected } = user.stopped_marks;
  if (undecided.length === 0 && rejected.length === 0) return NOT_REPEATED;
  const used = usedBy(made);
  let highest = NOT_REPEATED;
  const consider = (mark: string): void => {
    const marked = markedScore(mark);
    if (marked.risk_score > highest.risk_score && repeats(mark, made, used, user)) highest = marked;
  };
  for (const mark of undecided) if (!isForgotten(mark, made.attempt.at_ms)) consider(mark);
  // After a person's decision, the labels of its entities say more than the same user and merchant meeting again.
  if (!isAnonymous(made.attempt)) rejected.forEach(consider);
  return highest;
}

/** The score that an attempt has at least, because it repeats a stopped one; 0 if it repeats none. */
export const repeatedScore = (made: MarkedAttempt, user: EntityHistory | undefined): number =>
  repeated(made, user).risk_score;
