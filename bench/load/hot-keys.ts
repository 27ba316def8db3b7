import { PARTITION } from '../../shared/store/keys';

/** The limits of one DynamoDB partition, whatever the table as a whole can take. */
export const PARTITION_LIMIT = { writeUnits: 1_000, readUnits: 3_000 } as const;

type Units = ReadonlyMap<string, number>;

/** A partition key and its share of all units. */
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

/** Whether more traffic makes a key hotter; one that belongs to a single request stays cold at any rate. */
export const growsWithTraffic = ({ key }: HotKey): boolean => !ONE_REQUEST.some((kind) => key.startsWith(kind));

const STATUS =
  /^(?:open|approved|rejected|expired|unresolved|all|pending|failed|delivered|succeeded|enabled|disabled)$/i;

/** Whether a key contains only the kind and a status: the mistake that makes indexes hot. */
export function isStatusOnly(key: string): boolean {
  const parts = key.split('#').slice(1);
  return parts.length > 0 && parts.every((part) => STATUS.test(part));
}
