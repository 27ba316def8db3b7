import { type Check, must } from '../check';
import { pay } from './story';

export const repeats: Check = {
  name: 'repeats',
  proves: 'a repeated Idempotency-Key gets the same bytes',
  needs: 'http',
  async run(context) {
    const headers = { 'Idempotency-Key': context.newName('repeat') };
    const body = { user_id: context.newName('user'), amount: 12, currency: 'EUR' };
    const first = await pay(context, body, headers);
    const second = await pay(context, body, headers);
    must(first.text === second.text, 'The same request with the same Idempotency-Key got a different response.');
    must(
      second.headers.get('idempotent-replayed') === 'true',
      'A repeated response lacks the header Idempotent-Replayed: true.',
    );
    return undefined;
  },
};
