import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type EndpointState,
  FRESH_STATE,
  type GrantedPass,
  type Pass,
  type StateChange,
} from '../../domain/webhooks/endpoint-state';
import { endpointStateKey } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, updateItem } from '../sdk/table-calls';
import { ttlFrom } from './delivery-store';

const slotName = (slot: number): string => `place_${slot}`;

function fromItem(item: Record<string, unknown> | undefined): EndpointState {
  const number = (name: string): number => (item?.[name] as number | undefined) ?? 0;
  const numberOrNull = (name: string): number | null => (item?.[name] as number | undefined) ?? null;
  return {
    breaker: {
      failures: number('failures'),
      timeouts: number('timeouts'),
      probe_at_ms: numberOrNull('probe_at_ms'),
      probe_delay_ms: number('probe_delay_ms'),
    },
    health: {
      first_failure_at_ms: numberOrNull('first_failure_at_ms'),
      failed_attempts: number('failed_attempts'),
    },
    slots: FRESH_STATE.slots.map((_free, slot) => number(slotName(slot))),
    version: number('version'),
  };
}

/**
 * The breaker, the failures and the slots of an endpoint, in one item. Slots are taken and given back attribute by
 * attribute, so that senders to a healthy endpoint never collide; only the breaker and the failures are guarded by
 * the item's version.
 */
export function endpointStateStore(table: Table) {
  const update = async (
    accountId: string,
    webhookId: string,
    params: Parameters<typeof updateItem>[2],
  ): Promise<StateChange> => {
    const values = { ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    try {
      const { Attributes } = await updateItem(table, endpointStateKey(accountId, webhookId), { ...values, ...params });
      return { done: true, state: fromItem(Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The document client does not unmarshall the item of an exception.
      return { done: false, state: fromItem(error.Item && unmarshall(error.Item)) };
    }
  };

  return {
    async read(accountId: string, webhookId: string): Promise<EndpointState> {
      return fromItem(await getItem(table, endpointStateKey(accountId, webhookId)));
    },

    /** Takes the slots of a pass, unless somebody has taken one of them, or the probe, in the meantime. */
    take(accountId: string, webhookId: string, { before, pass }: GrantedPass, nowMs: number): Promise<StateChange> {
      const names = pass.slots.map(slotName);
      const probeAtMs = before.breaker.probe_at_ms;
      const sameProbe = probeAtMs === null ? 'attribute_not_exists(probe_at_ms)' : 'probe_at_ms = :probe';
      return update(accountId, webhookId, {
        UpdateExpression: `SET ${[
          ...names.map((name) => `${name} = :lease`),
          'entity = :entity',
          '#ttl = :ttl',
          ...(pass.isProbe ? ['probe_at_ms = :next_probe'] : []),
        ].join(', ')}`,
        ConditionExpression: [
          ...names.map((name) => `(attribute_not_exists(${name}) OR ${name} <= :now)`),
          sameProbe,
        ].join(' AND '),
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':lease': pass.leaseUntilMs,
          ':now': nowMs,
          ':entity': 'endpoint-state',
          // A deleted endpoint leaves its state behind; one that has had no deliveries for this long starts afresh.
          ':ttl': ttlFrom(nowMs),
          ...(probeAtMs === null ? {} : { ':probe': probeAtMs }),
          ...(pass.isProbe ? { ':next_probe': pass.breaker.probe_at_ms } : {}),
        },
      });
    },

    /** Gives the slots back, unless their lease has ended and somebody else has them. */
    giveBack: (accountId: string, webhookId: string, { slots, leaseUntilMs }: Pass) =>
      update(accountId, webhookId, {
        UpdateExpression: `REMOVE ${slots.map(slotName).join(', ')}`,
        ConditionExpression: slots.map((slot) => `${slotName(slot)} = :lease`).join(' AND '),
        ExpressionAttributeValues: { ':lease': leaseUntilMs },
      }),

    /** Writes breaker and health, provided that nobody else has since `before`; the slots stay as they are. */
    saveHealth(
      accountId: string,
      webhookId: string,
      before: EndpointState,
      after: EndpointState,
    ): Promise<StateChange> {
      const { breaker, health, version } = after;
      const isOpen = breaker.probe_at_ms !== null;
      const isFailing = health.first_failure_at_ms !== null;
      const absent = [...(isOpen ? [] : ['probe_at_ms']), ...(isFailing ? [] : ['first_failure_at_ms'])];
      return update(accountId, webhookId, {
        UpdateExpression: [
          'SET failures = :failures, timeouts = :timeouts, probe_delay_ms = :delay, failed_attempts = :failed',
          ', version = :version',
          isOpen ? ', probe_at_ms = :probe' : '',
          isFailing ? ', first_failure_at_ms = :first' : '',
          absent.length > 0 ? ` REMOVE ${absent.join(', ')}` : '',
        ].join(''),
        ConditionExpression: before.version === 0 ? 'attribute_not_exists(version)' : 'version = :before',
        ExpressionAttributeValues: {
          ':failures': breaker.failures,
          ':timeouts': breaker.timeouts,
          ':delay': breaker.probe_delay_ms,
          ':failed': health.failed_attempts,
          ':version': version,
          ...(isOpen ? { ':probe': breaker.probe_at_ms } : {}),
          ...(isFailing ? { ':first': health.first_failure_at_ms } : {}),
          ...(before.version === 0 ? {} : { ':before': before.version }),
        },
      });
    },
  };
}
