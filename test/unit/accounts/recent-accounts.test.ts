import { recentAccounts, withinLimit } from '../../../shared/usecases/recent-accounts';

it('keeps one thing per account, and forgets what was not asked for longest beyond 500', () => {
  let begun = 0;
  const kept = recentAccounts(() => ({ number: ++begun }));
  for (let account = 1; account <= 500; account++) expect(kept(`acc_${account}`).number).toBe(account);
  // Asked for again: now the second is the oldest.
  expect(kept('acc_1').number).toBe(1);
  expect(kept('acc_501').number).toBe(501);
  expect(kept('acc_1').number).toBe(1);
  expect(kept('acc_2').number).toBe(502);
});

it('waits no longer than the limit, and says for what', async () => {
  await expect(withinLimit(60_000, Promise.resolve('all'), 'lists')).resolves.toBe('all');
  await expect(withinLimit(60_000, Promise.reject(new Error('broken')), 'lists')).rejects.toThrow('broken');
  await expect(withinLimit(1, new Promise(() => undefined), 'lists')).rejects.toThrow('no lists within 1 ms');
});
