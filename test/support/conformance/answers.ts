import { IDEMPOTENCY_WINDOW_MS, type IdempotencyRecord } from '../../../shared/domain/idempotency';
import type { AnswersPort } from '../memory/memory-answers';
import { freshAccount, type MakePort, START_MS } from './fresh-account';

const answerOf = (scope: string, body: string): IdempotencyRecord => ({ scope, body_hash: 'hash', status: 201, body });

/** Tests that every store of answers under an `Idempotency-Key` must pass. */
export function describeAnswersConformance(name: string, makePort: MakePort<AnswersPort>): void {
  describe(`recorded answers in ${name}`, () => {
    let answers: AnswersPort;
    let account: string;
    beforeEach(async () => {
      answers = await makePort();
      account = freshAccount();
    });

    it('gives back what was recorded, to its account and for its scope only', async () => {
      const answer = answerOf('scope', '{"a":"ä\\u0000"}');
      expect(await answers.find(account, 'scope', START_MS)).toBeUndefined();
      expect(await answers.record(account, answer, START_MS)).toBe(true);
      expect(await answers.find(account, 'scope', START_MS + 1)).toEqual(answer);
      expect(await answers.find(account, 'another', START_MS)).toBeUndefined();
      expect(await answers.find(freshAccount(), 'scope', START_MS)).toBeUndefined();
    });

    it('records one answer under a key, whoever else tries', async () => {
      const tries = Array.from({ length: 5 }, (_, i) => answers.record(account, answerOf('scope', `${i}`), START_MS));
      const recorded = await Promise.all(tries);
      expect(recorded.filter(Boolean)).toHaveLength(1);
      const { body } = (await answers.find(account, 'scope', START_MS)) ?? {};
      expect(body).toBe(`${recorded.indexOf(true)}`);
      expect(await answers.record(account, answerOf('scope', 'late'), START_MS + 1_000)).toBe(false);
    });

    it('is free again 24 hours later to the millisecond, whether or not anything was cleaned up', async () => {
      await answers.record(account, answerOf('scope', 'old'), START_MS);
      const endMs = START_MS + IDEMPOTENCY_WINDOW_MS;
      expect(await answers.find(account, 'scope', endMs - 1)).toMatchObject({ body: 'old' });
      expect(await answers.record(account, answerOf('scope', 'early'), endMs - 1)).toBe(false);
      expect(await answers.find(account, 'scope', endMs)).toBeUndefined();
      expect(await answers.record(account, answerOf('scope', 'new'), endMs)).toBe(true);
      expect(await answers.find(account, 'scope', endMs)).toMatchObject({ body: 'new' });
    });
  });
}
