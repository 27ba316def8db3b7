import { PARTITION } from '../../../shared/store/keys';
import { usesOf } from './call-units';
import type { LimitedCall } from './throttle';

const SCREENING = /Screen(Transaction|Event)/;
const ENTITY = `${PARTITION.entity}#`;

/**
 * Whether a call becomes rarer as traffic is scaled down, so that scaled-down limits are fair to it. What goes by the clock does
 * not: folds move shards home every 20 seconds at any rate; relays and tallies write once per batch, and a batch holds a record
 * or two where it would hold a hundred. At 1:5,000 a fold alone would take all that the partition of a home has; at the
 * real rates it takes 0.02%.
 */
export function scalesWithTraffic(call: LimitedCall): boolean {
  if (!SCREENING.test(call.caller)) return false;
  const uses = usesOf(call);
  const isOfEntities = uses.every(({ pk }) => pk.startsWith(ENTITY));
  const isFold = call.operation === 'TransactWriteItems' || (call.operation === 'BatchGetItem' && uses.some(isShard));
  return !(isOfEntities && isFold);
}

const isShard = ({ pk }: { readonly pk: string }): boolean => pk.includes('~');
