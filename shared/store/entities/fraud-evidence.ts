import { ENTITY_LIFE_MS } from '../../domain/entities/kind-spec';
import { digitsOf, type EntityItem } from '../sdk/attribute-value';
import { NAME } from './entity-attributes';
import { fraudLabelNames } from './label-forgetter';
import { type FlagChange, flagName, listFlag } from './list-flags';

export interface KeptEvidence {
  readonly untilMs: number;
  /** The numbers of the account's lists that block. */
  readonly blocking: ReadonlySet<number>;
}

/** Whether nothing but evidence of fraud is left of an entity. */
export const isEvidence = (item: Readonly<Record<string, unknown>>): boolean =>
  item[NAME.evidence] !== undefined && item[NAME.lastSeen] === undefined;

/** Confirmed fraud may be taken back, down to zero. */
const hasFraud = (item: EntityItem): boolean => Number(digitsOf(item[NAME.fraud]) ?? 0) > 0;

/**
 * Reduces an entity to evidence of fraud: its labels, and the flags of lists that block. Amounts, places, hours and
 * counterparts go. Undefined if there is no evidence, or its time is over: then all of it may go.
 */
export function evidenceChange(
  item: EntityItem,
  { untilMs, blocking }: KeptEvidence,
  nowMs: number,
): Extract<FlagChange, { kind: 'update' }> | undefined {
  const flags = Object.entries(item).flatMap(([name, value]) => listFlag(name, value) ?? []);
  const kept = flags.filter(({ number, until_ms = untilMs }) => blocking.has(number) && until_ms > nowMs);
  if (untilMs <= nowMs || (kept.length === 0 && !hasFraud(item))) return undefined;
  // Names of buckets return after 270 days: what stays for longer than an entity without attempts keeps none.
  const labels = untilMs - nowMs > ENTITY_LIFE_MS ? [NAME.fraud, NAME.lastLabel] : fraudLabelNames(nowMs);
  const staying = new Set<string>(['pk', 'sk', NAME.ttl, NAME.evidence, ...kept.map(({ number }) => flagName(number))]);
  if (hasFraud(item)) for (const name of [...labels, NAME.legitimate]) staying.add(name);
  if (kept.length > 0) staying.add(NAME.listed);
  const removed = Object.keys(item).filter((name) => !staying.has(name));
  const set: [string, number][] = [
    [NAME.evidence, untilMs],
    ...kept.map(({ number, until_ms = untilMs }): [string, number] => [flagName(number), Math.min(until_ms, untilMs)]),
    // As long as it is on a list, the list's sweep ends it.
    ...(kept.length > 0 ? [] : ([[NAME.ttl, Math.ceil(untilMs / 1000)]] as [string, number][])),
  ];
  return {
    kind: 'update',
    UpdateExpression: [
      `SET ${set.map((_, at) => `#s${at} = :s${at}`).join(', ')}`,
      ...(removed.length > 0 ? [`REMOVE ${removed.map((_, at) => `#r${at}`).join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries([
      ...set.map(([name], at) => [`#s${at}`, name]),
      ...removed.map((name, at) => [`#r${at}`, name]),
    ]),
    ExpressionAttributeValues: Object.fromEntries(set.map(([, value], at) => [`:s${at}`, value])),
  };
}
