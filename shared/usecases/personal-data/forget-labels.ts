import type { Caller } from '../../domain/accounts/account';
import { actorOf } from '../../domain/accounts/account';
import { labelOf } from '../../domain/cases/outcome';
import { entityNames, kindOfKey } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { notFound } from '../../domain/errors';
import { isStopped } from '../../domain/screening/decide';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { type ListDecisionsDeps, listDecisions } from '../screening/list-decisions';

/** Dependencies of taking labels back. */
export interface ForgetLabelsDeps extends ListDecisionsDeps {
  readonly newUlid: (nowMs: number) => string;
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly labels: {
    forget(accountId: string, entity: string, nowMs: number): Promise<boolean>;
  };
  readonly erasures: { insertForgotten(accountId: string, ulid: string, entry: object): Promise<void> };
}

/** How many entities lost their labels. */
export interface ForgottenLabels {
  readonly users: number;
  readonly devices: number;
  readonly cards: number;
  readonly atMs: number;
}

const PAGE = 100;
const MAX_PAGES = 20;

const isFraud = ({ review }: ScreeningRecord): boolean => review !== null && labelOf(review.decision) === 'fraud';
const isCard = (key: string): boolean => key.startsWith('attribute.card');
const isOwn = (key: string): boolean => kindOfKey(key) === 'device' || isCard(key);

/**
 * Takes back what labels did to a victim: on the user, and on devices and cards that the user was allowed with in a
 * screening that nobody labelled as fraud. What was only seen in frauds is the thief's, and keeps its labels.
 */
export async function forgetLabels(
  deps: ForgetLabelsDeps,
  caller: Caller,
  userId: string,
  reason: string,
): Promise<ForgottenLabels> {
  const nowMs = deps.clock.now();
  const { account_id } = caller;
  const user = entityNames(account_id, await deps.pseudonyms()).user(userId);
  const own = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { decisions, nextCursor } = await listDecisions(deps, caller, { user_id: userId, limit: PAGE, cursor });
    for (const record of decisions) {
      if (isStopped(record.automated_decision) || isFraud(record)) continue;
      for (const key of record.entities.filter(isOwn)) own.add(key);
    }
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  if (!(await deps.labels.forget(account_id, user.key, nowMs))) throw notFound('user');
  const count = { users: 1, devices: 0, cards: 0 };
  for (const key of own) {
    if (await deps.labels.forget(account_id, key, nowMs)) count[isCard(key) ? 'cards' : 'devices'] += 1;
  }
  const at = new Date(nowMs).toISOString();
  const entry = { reason, at, actor: actorOf(caller), key_id: caller.key_id, ...count };
  await deps.erasures.insertForgotten(account_id, deps.newUlid(nowMs), entry);
  return { ...count, atMs: nowMs };
}
