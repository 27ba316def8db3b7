import type { EntityHistory } from '../../../shared/domain/entities/entity-history';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { readEntity } from '../../../shared/store/entities/read-entity';
import { gatherFacts } from '../../../shared/usecases/screening/gather-facts';
import { payment, preparedOf } from '../../support/payment';

/** The facts of a payment of which the entities of these names did not respond. */
function factsWithout(silent: readonly string[], subject: Subject = payment()) {
  const prepared = preparedOf(subject);
  const { attempt, refs } = prepared;
  const historyOf = (kind: Parameters<typeof readEntity>[0]): EntityHistory =>
    readEntity(kind, undefined, attempt).history;
  const recorded = refs
    .filter(({ name }) => !silent.includes(name))
    .map((ref) => ({ ref, history: historyOf(ref.kind), trim: undefined }));
  const networks = { facts: {}, readings: [], missing: [] };
  return gatherFacts(prepared, { histories: { recorded, missing: [] }, networks }, []);
}

it('has the history of everybody who took part', () => {
  const facts = factsWithout([]);
  expect([facts.user, facts.device, facts.ip_history].every((history) => history !== undefined)).toBe(true);
  expect(facts.attributes).toMatchObject([{ key: 'card_fingerprint', history: { transactions: { total: 0 } } }]);
  expect(facts).toMatchObject({ account_id: 'acc_1', has_billing_address: false, attempt: { amount: 25 } });
});

it('leaves out who did not respond, and nobody else', () => {
  const facts = factsWithout(['device', 'card_fingerprint']);
  expect([facts.user === undefined, facts.device, facts.ip_history === undefined]).toEqual([false, undefined, false]);
  expect(facts.attributes).toEqual([{ key: 'card_fingerprint', history: undefined }]);
});

it('knows an agent only of a request that names one', () => {
  expect(factsWithout([])).not.toHaveProperty('agent_verified');
  const agent = { operator: 'shopper.example', key_id: 'k1', verified: true };
  expect(factsWithout([], payment({ agent }))).toMatchObject({ agent_verified: true });
});
