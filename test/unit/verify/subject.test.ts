import { stageAt } from '../../../bin/verify/subject';

it('says in one sentence that nothing runs at a URL', async () => {
  // Nothing listens on port 1, which only root may open.
  const looking = stageAt('http://127.0.0.1:1', 'sandbox', undefined);
  await expect(looking).rejects.toThrow(/^GET http:\/\/127\.0\.0\.1:1\/_local\/run got no response: .*Is it running/);
});

it('says in one sentence that something is not a URL', async () => {
  await expect(stageAt('localhost', 'sandbox', undefined)).rejects.toThrow('--url localhost is not a URL');
});
