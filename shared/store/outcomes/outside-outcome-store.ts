import { userOf } from '../../domain/entities/entity-ref';
import { ClaimTaken, type IdempotencyRecord } from '../../domain/idempotency';
import type { KeptChange } from '../../domain/outcomes/kept-change';
import type { KeptSubject } from '../../domain/outcomes/kept-subject';
import type { OutcomeType, StoredOutcome } from '../../domain/outcomes/outside-outcome';
import { recordAnswerItem, unsealed } from '../idempotency-store';
import { outcomeDuePk, referenceKey, sourceKey, sourcePk } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, isAccepted, queryDue, queryPrefix, updateItem } from '../sdk/table-calls';
import { type TransactItem, transact } from '../sdk/transact';
import { declineItems, holdUpdate, keepItems, keptReader, labelMoveItems, referenceUpdates } from './kept-items';
import { outcomeLabelItem } from './outcome-label-item';
import { tallyOf } from './processor-tally';

interface Commit {
  readonly nowMs: number;
  readonly answer?: IdempotencyRecord | undefined;
}

interface OutcomeCommit extends Commit {
  readonly isNew?: boolean | undefined;
}

/** An outcome is stored with its amount as text, like everything that was sent as a number. */
function outcomeItem(accountId: string, outcome: StoredOutcome, endMs: number): Record<string, unknown> {
  const { amount, ...rest } = outcome;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...sourceKey(accountId, outcome.source, outcome.type),
    entity: 'outcome',
    account_id: accountId,
    ...Object.fromEntries(given),
    ...(amount === undefined ? {} : { amount: String(amount) }),
    ttl: Math.ceil(endMs / 1000),
  };
}

function toOutcome(item: Record<string, unknown>): StoredOutcome {
  const { pk, sk, entity, account_id, ttl, amount, ...rest } = item;
  return { ...(rest as unknown as StoredOutcome), ...(amount === undefined ? {} : { amount: Number(amount) }) };
}

const heldText = ({ type, source }: StoredOutcome): string => `${type} ${source}`;
const heldOf = (text: string): { readonly type: OutcomeType; readonly source: string } => {
  const [type = '', source = ''] = text.split(' ');
  return { type: type as OutcomeType, source };
};

export function outsideOutcomeStore(table: Table) {
  const tally = tallyOf(table);
  /** Returns the positions of refused items: none if it committed. */
  async function commitWith(
    accountId: string,
    items: readonly TransactItem[],
    { nowMs, answer }: Commit,
  ): Promise<readonly number[]> {
    const claim = answer ? [await recordAnswerItem(unsealed, accountId, answer, nowMs)] : [];
    if (claim.length + items.length === 0) return [];
    const outcome = await transact(table, [...claim, ...items]);
    if (outcome.committed) return [];
    if (answer && outcome.failed.includes(0)) throw new ClaimTaken();
    return outcome.failed.map((at) => at - claim.length);
  }

  // One that waits may be applied, and one that waited in vain may come again; one that was applied stays.
  const appliedPut = (accountId: string, outcome: StoredOutcome, endMs: number, isNew: boolean): TransactItem => ({
    Put: {
      Item: outcomeItem(accountId, outcome, endMs),
      ConditionExpression: isNew
        ? 'attribute_not_exists(pk)'
        : 'attribute_not_exists(pk) OR attribute_exists(held_until_ms)',
    },
  });
  const heldPut = (accountId: string, outcome: StoredOutcome, untilMs: number, nowMs: number): TransactItem => ({
    Put: {
      Item: outcomeItem(accountId, outcome, untilMs),
      ConditionExpression: 'attribute_not_exists(pk) OR held_until_ms <= :now',
      ExpressionAttributeValues: { ':now': nowMs },
    },
  });

  return {
    async ofSource(accountId: string, source: string): Promise<StoredOutcome[]> {
      return (await queryPrefix(table, sourcePk(accountId, source))).map(toOutcome);
    },

    async reference(accountId: string, name: string, nowMs: number) {
      const item = await getItem(table, referenceKey(accountId, name));
      if (!item) return undefined;
      const isKept = nowMs < (item.kept_until_ms ?? 0);
      const held = [...((item.held as Set<string> | undefined) ?? [])].sort().map(heldOf);
      return {
        ulid: isKept ? (item.ulid as string) : undefined,
        at_ms: isKept ? (item.at_ms as number) : undefined,
        held,
      };
    },

    kept: keptReader(table).find,

    async keep(accountId: string, kept: KeptSubject): Promise<boolean> {
      return (await transact(table, keepItems(accountId, kept, kept))).committed;
    },

    async link(accountId: string, names: readonly string[], kept: KeptSubject, commit: Commit): Promise<string[]> {
      const { kept_until_ms, screening } = kept;
      const linked = { ulid: screening.ulid, user: userOf(screening), atMs: commit.nowMs, kept_until_ms };
      const failed = await commitWith(accountId, referenceUpdates(accountId, names, linked), commit);
      return names.filter((_, at) => failed.includes(at));
    },

    async hold(accountId: string, outcome: StoredOutcome, names: readonly string[], commit: Commit): Promise<boolean> {
      const { nowMs } = commit;
      const untilMs = outcome.held_until_ms ?? nowMs;
      const waiting = { held: heldText(outcome), nowMs, untilMs };
      const items = [
        heldPut(accountId, outcome, untilMs, nowMs),
        ...names.map((name) => holdUpdate(accountId, name, waiting)),
      ];
      return (await commitWith(accountId, items, commit)).length === 0;
    },

    async apply(
      accountId: string,
      outcome: StoredOutcome,
      change: KeptChange,
      commit: OutcomeCommit,
    ): Promise<boolean> {
      const { before, after, move } = change;
      const label = outcomeLabelItem(accountId, outcome, change);
      const items = [
        appliedPut(accountId, outcome, after.kept_until_ms, commit.isNew ?? false),
        ...keepItems(accountId, after, before),
        ...(label ? [{ Put: { Item: label } }] : []),
        ...labelMoveItems(accountId, after.screening, move),
        ...declineItems(accountId, change, commit.nowMs),
      ];
      return (await commitWith(accountId, items, commit)).length === 0;
    },

    ...tally,

    async release(accountId: string, name: string, nowMs: number): Promise<void> {
      const released = updateItem(table, referenceKey(accountId, name), {
        UpdateExpression: 'REMOVE due_pk, due_sk, held',
        // An outcome that came in the meantime has its own week.
        ConditionExpression: 'attribute_exists(ulid) OR due_sk <= :now',
        ExpressionAttributeValues: { ':now': new Date(nowMs).toISOString() },
      });
      await isAccepted(released);
    },
  };
}

export function heldOutcomeSweeper(table: Table) {
  return {
    async due(shard: number, nowMs: number, limit: number) {
      const items = await queryDue(table, outcomeDuePk(shard), nowMs, limit);
      return items.map(({ pk }) => {
        const [, account_id = '', name = ''] = (pk as string).split('#');
        return { account_id, name };
      });
    },
  };
}
