import { PARTITION } from '../../shared/store/keys';

/** What one partition of DynamoDB takes, whatever the table may take as a whole. */
export const PARTITION_LIMIT = { writeUnits: 1_000, readUnits: 3_000 } as const;

type Units = ReadonlyMap<string, number>;

/** A partition key and its part of all units. */
export interface HotKey {
  readonly key: string;
  readonly share: number;
  readonly units: number;
}

export const totalUnits = (units: Units): number => [...units.values()].reduce((sum, value) => sum + value, 0);

/** Keys by their share of a total, largest first. */
export const hottest = (units: Units, total: number): HotKey[] =>
  [...units].map(([key, value]) => ({ key, units: value, share: value / total })).sort((a, b) => b.units - a.units);

const ONE_REQUEST = [PARTITION.subject, PARTITION.idempotency].map((kind) => `${kind}#`);

/** Whether more traffic makes a key hotter; one that belongs to a single request is as cold at any rate. */
export const growsWithTraffic = ({ key }: HotKey): boolean => !ONE_REQUEST.some((kind) => key.startsWith(kind));

const STATUS =
  /^(?:open|approved|rejected|expired|unresolved|all|pending|failed|delivered|succeeded|enabled|disabled)$/i;

/** Whether nothing in a key but the kind and a status tells items apart: the mistake that hot indexes are made of. */
export function isStatusOnly(key: string): boolean {
  const parts = key.split('#').slice(1);
  return parts.length > 0 && parts.every((part) => STATUS.test(part));
}
