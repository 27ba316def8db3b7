import { described } from '../api';
import { type Check, must, type VerifyContext } from '../check';
import { hastyPurchase, newPlace, pay } from './story';

function mustAddUp({ risk_score, explanation }: VerifyAnswer): void {
  const points = (explanation?.contributions ?? []).reduce((sum, each) => sum + each.points, explanation?.base ?? 0);
  must(points === risk_score, `Base and points add up to ${points}, but the score is ${risk_score}.`);
}

interface VerifyAnswer {
  readonly risk_score: number;
  readonly explanation?: { readonly base: number; readonly contributions: ReadonlyArray<{ readonly points: number }> };
}

async function ordinary(context: VerifyContext): Promise<void> {
  const { json } = await pay(context, { user_id: context.newName('user'), amount: 25, currency: 'EUR' });
  must(
    json.decision === 'allow',
    `An ordinary payment should be allowed; it got ${json.decision} at ${json.risk_score}.`,
  );
  mustAddUp(json);
  const stored = await context.api.call('GET', `/v1/transactions/${json.transaction_id}`, { key: context.key });
  must(
    stored.status === 200 && stored.json?.decision === 'allow',
    `GET /v1/transactions/${json.transaction_id} should return the stored result; it answered ${described(stored)}`,
  );
}

export const decisions: Check = {
  name: 'decisions',
  proves: 'payments are allowed, held for review and blocked, and outcomes count at once',
  needs: 'http',
  async run(context) {
    await ordinary(context);
    const from = newPlace(context);
    const held = (await hastyPurchase(context, from)).json;
    mustAddUp(held);
    const body = { status: 'rejected', analyst_id: 'npm run verify' };
    const rejected = await context.api.call('PUT', `/v1/cases/${held.case_id}`, { key: context.key, body });
    must(rejected.status === 200, `PUT /v1/cases/${held.case_id} answered ${described(rejected)}`);

    const again = (await pay(context, { user_id: held.user_id, amount: 310, currency: 'USD', ...from })).json;
    must(
      again.decision === 'block',
      `After its case was rejected, the same user on the same device should be blocked; it got ${again.decision} at ${again.risk_score}.`,
    );
    return `allow, review at ${held.risk_score}, block at ${again.risk_score}`;
  },
};
