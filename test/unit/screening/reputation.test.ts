import { DAY, HOUR, IP, shopInMemory, THIEF, VICTIM } from '../../support/shop-in-memory';

/*
 * A confirmed fraud says something about what the thief used. About the user it says as much as about the device they are
 * on: on a device of their own, on which nothing happened, they are the victim.
 */
const CARD = { custom_attributes: { card_fingerprint: 'own', email: 'ann@example.com' } };

async function regularCustomer(shop = shopInMemory()) {
  for (let i = 0; i < 12; i++) {
    await shop.pay('ann', 20 + ((i * 7) % 15), { ...VICTIM, ...CARD });
    shop.pass(3 * DAY);
  }
  return shop;
}

it('does not hold a takeover against the victim, who is on their own device with their own card and email', async () => {
  const shop = await regularCustomer();
  const usual = await shop.pay('ann', 25, { ...VICTIM, ...CARD });
  shop.pass(HOUR);
  const stolen = await shop.pay('ann', 900, { ...THIEF, ...CARD });
  await shop.review(stolen, 'block');
  shop.pass(DAY);
  const after = await shop.pay('ann', 25, { ...VICTIM, ...CARD });
  expect(after.automated_decision).toBe('allow');
  expect(after.risk_score).toBeLessThanOrEqual(usual.risk_score + 3);
  expect(after.contributions.map(({ signal }) => signal)).not.toContain('prior_fraud');
});

it('raises the device, the card and the name that the thief used, for the thief', async () => {
  const shop = await regularCustomer();
  const stolen = await shop.pay('ann', 900, { ...THIEF, custom_attributes: { card_fingerprint: 'stolen' } });
  await shop.review(stolen, 'block');
  shop.pass(DAY);
  const again = await shop.pay('ann', 25, THIEF);
  expect(again.automated_decision).not.toBe('allow');
  const onDevice = await shop.pay('mule', 25, THIEF);
  expect(onDevice.automated_decision).not.toBe('allow');
  const withCard = await shop.pay('bob', 25, {
    device_fingerprint: 'other',
    ip_address: IP.cafe,
    custom_attributes: { card_fingerprint: 'stolen' },
  });
  expect(withCard.automated_decision).not.toBe('allow');
  // A device that the user never had before counts like the thief's.
  const elsewhere = await shop.pay('ann', 25, { device_fingerprint: 'new', ip_address: IP.farAway });
  expect(elsewhere.automated_decision).not.toBe('allow');
});

it("does not hold fraud in another name, with a copied fingerprint, against the fingerprint's owner", async () => {
  const shop = await regularCustomer();
  const copied = await shop.pay('mule', 900, { ...THIEF, device_fingerprint: VICTIM.device_fingerprint });
  await shop.review(copied, 'block');
  shop.pass(DAY);
  const owner = await shop.pay('ann', 25, { ...VICTIM, ...CARD });
  expect(owner.automated_decision).toBe('allow');
  const mule = await shop.pay('mule', 25, { ...THIEF, device_fingerprint: VICTIM.device_fingerprint });
  expect(mule.automated_decision).not.toBe('allow');
  const newcomer = await shop.pay('second-mule', 25, { ...THIEF, device_fingerprint: VICTIM.device_fingerprint });
  expect(newcomer.automated_decision).not.toBe('allow');
});

it('holds fraud on their own device against the user, and a card that somebody else has used against everybody', async () => {
  const shop = await regularCustomer();
  const own = await shop.pay('ann', 60, { ...VICTIM, ...CARD });
  await shop.review(own, 'block');
  shop.pass(DAY);
  expect((await shop.pay('ann', 25, { ...VICTIM, ...CARD })).automated_decision).not.toBe('allow');

  const other = await regularCustomer();
  const leaked = await other.pay('mule', 300, { ...THIEF, ...CARD });
  await other.review(leaked, 'block');
  other.pass(DAY);
  expect((await other.pay('ann', 25, { ...VICTIM, ...CARD })).automated_decision).not.toBe('allow');
});
