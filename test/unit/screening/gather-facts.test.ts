import type { EntityHistory } from '../../../shared/domain/entities/entity-history';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { attemptOf, partiesOf, type Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { readEntity } from '../../../shared/store/entities/read-entity';
import { gatherFacts } from '../../../shared/usecases/screening/gather-facts';
import { callerOf, payment } from '../../support/payment';

const { account_id, settings } = callerOf('acc_1');
const at = { ulid: '01M7K0BJGE3KXX8RS0EX2NQC2D', atMs: 1_000_000 };

/** The facts of a payment of which the entities of these names did not respond. */
function factsWithout(silent: readonly string[], subject: Subject = payment()) {
  const parties = partiesOf(entityNames(account_id), subject, undefined, settings);
  const attempt = attemptOf(subject, at, undefined, parties);
  const historyOf = (kind: Parameters<typeof readEntity>[0]): EntityHistory =>
    readEntity(kind, undefined, attempt).history;
  const recorded = parties.refs
    .filter(({ name }) => !silent.includes(name))
    .map((ref) => ({ ref, history: historyOf(ref.kind), trim: undefined }));
  return gatherFacts(
    subject,
    undefined,
    { account_id, observed: [], networks: {} },
    { attempt, refs: parties.refs, recorded },
  );
}

it('has the history of everybody who took part', () => {
  const facts = factsWithout([]);
  expect([facts.user, facts.device, facts.ip_history].every((history) => history !== undefined)).toBe(true);
  expect(facts.attributes).toMatchObject([{ key: 'card_fingerprint', history: { transactions: { total: 0 } } }]);
  expect(facts).toMatchObject({ account_id, has_billing_address: false, attempt: { amount: 25 } });
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
