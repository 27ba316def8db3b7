import { DAY, HOUR, IP, namesOf, regularCustomer, shopInMemory, VICTIM } from '../../support/shop-in-memory';

/*
 * Anyone who replays a session has the victim's device, and behind a proxy the victim's address. All that is left to see is
 * an amount far beyond anything the victim ever paid.
 */
async function customer() {
  const shop = shopInMemory();
  await regularCustomer(shop);
  return shop;
}

it.each([4_000, 2_000])('a stolen session does not pay %i, 80 times the usual amount and more', async (amount) => {
  const shop = await customer();
  const paid = await shop.pay('victim', amount, VICTIM);
  expect(paid.automated_decision).toBe('review');
  expect(namesOf(paid)).toContain('amount_anomaly');
});

it('a large amount that was stopped is not paid from another address, or in halves, on the same device', async () => {
  const shop = await customer();
  expect((await shop.pay('victim', 4_000, { ...VICTIM, ip_address: IP.abroad })).automated_decision).not.toBe('allow');
  for (const amount of [600, 300]) {
    shop.pass(HOUR);
    await shop.pay('victim', amount, VICTIM);
  }
  shop.pass(DAY);
  expect((await shop.pay('victim', 2_400, VICTIM)).automated_decision).not.toBe('allow');
  // What the victim usually buys is not held up by it.
  expect((await shop.pay('victim', 40, VICTIM)).automated_decision).toBe('allow');
});

it('a new phone, or what is usual for the merchant, is paid', async () => {
  const shop = await customer();
  expect((await shop.pay('victim', 900, VICTIM)).automated_decision).toBe('allow');
  const atTravelAgency = { custom_attributes: { merchant_id: 'travel' } };
  for (let i = 0; i < 60; i++) {
    await shop.pay(`tourist-${i}`, 1_500 + 40 * i, { device_fingerprint: `d${i}`, ...atTravelAgency });
    shop.pass(2 * HOUR);
  }
  expect((await shop.pay('victim', 3_000, { ...VICTIM, ...atTravelAgency })).automated_decision).toBe('allow');
});
