import { purchase } from '../../../bench/support/build-history';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { extractFeatures, featureSlot } from '../../../shared/domain/screening/features';
import { agentRef } from '../../../shared/domain/screening/subjects/attempt-of';
import { packVector, unpackVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { decisionAnswer } from '../../../shared/http/presenters/decision-answer';
import { toScreening } from '../../../shared/store/screening/screening-reader';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { DAY, HOUR, shopInMemory, THIEF, VICTIM } from '../../support/shop-in-memory';

const PROVEN = { operator: 'agents.example.com', key_id: 'k1', verified: true };
const CLAIMED = { operator: 'agents.example.com', verified: false };

describe('an agent', () => {
  const names = entityNames('acc_1');

  it('is its operator, whatever the key and the spelling; what is claimed is apart from what is proven', () => {
    const key = (agent: Parameters<typeof agentRef>[1]) => agentRef(names, agent)?.key;
    expect(key({ ...PROVEN, key_id: 'k2' })).toBe(key(PROVEN));
    expect(key({ ...PROVEN, operator: ' Agents.Example.COM ' })).toBe(key(PROVEN));
    expect(key(CLAIMED)).not.toBe(key(PROVEN));
    expect(key(PROVEN)).toMatch(/^agent#/);
    expect(key({ ...PROVEN, operator: '\u200b' })).toBeUndefined();
  });

  it('has a history: a confirmed fraud counts against what was claimed, not against what was proven', async () => {
    const shop = shopInMemory();
    const stolen = await shop.pay('mule', 900, { ...THIEF, agent: CLAIMED });
    expect(stolen.contributions.map(({ signal }) => signal)).toContain('unverified_agent');
    await shop.review(stolen, 'block');
    shop.pass(DAY);
    const claimed = await shop.pay('ann', 25, { ...VICTIM, agent: CLAIMED });
    const proven = await shop.pay('bob', 25, { device_fingerprint: 'bobs', agent: PROVEN });
    const found = claimed.contributions.find(({ signal }) => signal === 'unverified_agent');
    expect(found?.detail).toContain('1 confirmed fraud');
    expect(proven.contributions.map(({ signal }) => signal)).not.toContain('unverified_agent');
    expect(proven.automated_decision).toBe('allow');
  });

  it('links nobody: its users have nothing else in common', async () => {
    const shop = shopInMemory();
    const record = await shop.pay('ann', 25, { ...VICTIM, agent: PROVEN });
    const position = record.entities.findIndex((key) => key.startsWith('agent#'));
    expect(position).toBeGreaterThan(0);
    expect(record.linked).toBeDefined();
    expect(record.linked).not.toContain(position.toString(36));
  });

  it('is kept as it was sent, and shown with the decision', async () => {
    const shop = shopInMemory();
    const record = await shop.pay('ann', 25, { ...VICTIM, agent: PROVEN });
    expect(decisionAnswer(toScreening(screeningItem('acc_1', record))).agent).toEqual(PROVEN);
    shop.pass(HOUR);
    expect(decisionAnswer(await shop.pay('ann', 25, VICTIM))).not.toHaveProperty('agent');
  });
});

it('takes no entity, no attribute and no byte of the vector where there is none', async () => {
  const shop = shopInMemory();
  const record = await shop.pay('ann', 25, VICTIM);
  expect(record.entities.filter((key) => key.startsWith('agent'))).toEqual([]);
  expect(Object.keys(screeningItem('acc_1', record)).filter((name) => name.includes('agent'))).toEqual([]);
  const vector = extractFeatures(purchase());
  const first = featureSlot('agent_verified');
  expect([...vector.slice(first)].every(Number.isNaN)).toBe(true);
  // Codes of slots that are all missing are left out, and the map has room for them.
  expect(packVector(vector).length).toBe(packVector(vector.slice(0, first)).length);
  expect(unpackVector(packVector(vector)).length).toBe(vector.length);
});
