import { type Check, described, must, type Reply, type VerifyContext } from '../check';

export interface Origin {
  readonly ip_address: string;
  readonly device_fingerprint: string;
}

// Places in one /24 share a history: a block in one would block the other, once in some dozens of runs.
let origins = 0;

/** A server in a data centre that no earlier run has used, in another /24 each time, and a new device. */
export function newOrigin({ newName }: VerifyContext): Origin {
  const device_fingerprint = newName('device');
  const [third = 0, fourth = 0] = Buffer.from(device_fingerprint).subarray(-2);
  return { ip_address: `52.94.${(third + origins++) % 256}.${fourth}`, device_fingerprint };
}

export async function pay(
  { api, key }: VerifyContext,
  body: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await api.call('POST', '/v1/transactions/screen', { key, body, headers });
  must(reply.status === 200, `POST /v1/transactions/screen answered ${described(reply)}`);
  return reply;
}

/** A user who signs up on a server and spends at once: ends in review. */
export async function hastyPurchase(context: VerifyContext, from: Origin): Promise<Reply> {
  const user_id = context.newName('hasty');
  const body = { event_type: 'signup', user_id, ...from };
  await succeed(context, 'POST', '/v1/events', body);
  const purchase = await pay(context, { user_id, amount: 300, currency: 'USD', ...from });
  const { decision, risk_score, case_id } = purchase.json;
  must(
    decision === 'review' && typeof case_id === 'string',
    `A purchase right after signing up on a server should be held for review; it got ${decision} at ${risk_score}` +
      `${case_id ? '' : ' without a case'}.`,
  );
  return purchase;
}

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
    const from = newOrigin(context);
    const held = (await hastyPurchase(context, from)).json;
    mustAddUp(held);
    const body = { status: 'rejected', analyst_id: 'npm run verify' };
    await succeed(context, 'PUT', `/v1/cases/${held.case_id}`, body);

    const again = (await pay(context, { user_id: held.user_id, amount: 310, currency: 'USD', ...from })).json;
    must(
      again.decision === 'block',
      `After its case was rejected, the same user on the same device should be blocked; it got ${again.decision} at ${again.risk_score}.`,
    );
    return `allow, review at ${held.risk_score}, block at ${again.risk_score}`;
  },
};

const LISTED_WITHIN_MS = 10_000;

export const cases: Check = {
  name: 'cases',
  proves: 'a case is listed, resolved once, and listed as resolved',
  needs: 'http',
  async run(context) {
    const { api, key, until } = context;
    const { case_id: id } = (await hastyPurchase(context, newOrigin(context))).json;
    const isListed = (status: string) => async () => {
      const list = await succeed(context, 'GET', `/v1/cases?status=${status}&limit=100`);
      return list.json.cases.some((each: { case_id: string }) => each.case_id === id) || undefined;
    };
    await until(LISTED_WITHIN_MS, isListed('open'), () => `${id} was opened but is not among the open cases.`);

    const resolve = (status: string) =>
      api.call('PUT', `/v1/cases/${id}`, { key, body: { status, analyst_id: 'npm run verify' } });
    const approved = await resolve('approved');
    must(approved.status === 200, `PUT /v1/cases/${id} answered ${described(approved)}`);
    const twice = await resolve('rejected');
    must(
      twice.status === 409 && twice.json?.error?.code === 'case_not_open',
      `Resolving a case twice should be 409 case_not_open; it was ${described(twice)}`,
    );
    const read = await api.call('GET', `/v1/cases/${id}`, { key });
    must(read.json?.status === 'approved', `GET /v1/cases/${id} should say approved; it answered ${described(read)}`);
    await until(
      LISTED_WITHIN_MS,
      isListed('approved'),
      () => `${id} was approved but is not among the approved cases.`,
    );
    return undefined;
  },
};

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

export async function succeed(
  { api, key }: VerifyContext,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const reply = await api.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  must(reply.status >= 200 && reply.status < 300, `${method} ${path} answered ${described(reply)}`);
  return reply;
}

const ANALYST = { analyst_id: 'npm run verify' };

export const desk: Check = {
  name: 'desk',
  proves: 'a case is claimed, commented, released and resolved with others; its timeline tells so',
  needs: 'http',
  async run(context) {
    const { json: me } = await succeed(context, 'GET', '/v1/me');
    must(typeof me.account_id === 'string', 'GET /v1/me does not say whose key this is.');
    const { case_id: id } = (await hastyPurchase(context, newOrigin(context))).json;
    await succeed(context, 'POST', `/v1/cases/${id}/claim`, ANALYST);
    await succeed(context, 'POST', `/v1/cases/${id}/comments`, { text: 'Called the cardholder.', ...ANALYST });
    await succeed(context, 'DELETE', `/v1/cases/${id}/claim`);
    const body = { case_ids: [id], status: 'rejected', ...ANALYST };
    const { results } = (await succeed(context, 'POST', '/v1/cases/resolve', body)).json;
    must(results[0]?.status === 'ok', `POST /v1/cases/resolve answered ${JSON.stringify(results)}`);
    const { entries } = (await succeed(context, 'GET', `/v1/cases/${id}/timeline`)).json;
    const kinds: readonly string[] = entries.map(({ kind }: { kind: string }) => kind);
    const missing = ['screened', 'case_opened', 'claimed', 'commented', 'resolved'].filter(
      (kind) => !kinds.includes(kind),
    );
    must(missing.length === 0, `The timeline of ${id} lacks ${missing.join(', ')}; it has ${kinds.join(', ')}.`);
    return undefined;
  },
};

export const explore: Check = {
  name: 'explore',
  proves: 'an event’s decision is read, reviewed and listed; profile, links and overview answer',
  needs: 'http',
  async run(context) {
    const user_id = context.newName('visitor');
    const body = { event_type: 'login', user_id, ...newOrigin(context) };
    const { decision_id: id } = (await succeed(context, 'POST', '/v1/events', body)).json;
    await succeed(context, 'GET', `/v1/decisions/${id}`);
    const reviewed = await succeed(context, 'POST', `/v1/decisions/${id}/review`, { decision: 'block', ...ANALYST });
    must(reviewed.json.decision === 'block', `After its review, ${id} should say block; it was ${described(reviewed)}`);
    await context.until(
      LISTED_WITHIN_MS,
      async () => {
        const { decisions: found } = (await succeed(context, 'GET', `/v1/decisions?user_id=${user_id}`)).json;
        return found.some((each: { decision_id: string }) => each.decision_id === id) || undefined;
      },
      () => `${id} is not among the decisions of its user.`,
    );
    const { outcomes } = (await succeed(context, 'GET', `/v1/users/${user_id}/risk-profile`)).json;
    must(outcomes.confirmed_fraud === 1, `The risk profile should count one fraud: ${JSON.stringify(outcomes)}`);
    const { nodes } = (await succeed(context, 'GET', `/v1/users/${user_id}/links`)).json;
    must(nodes.length >= 1, 'The links of a user do not begin with the user.');
    await succeed(context, 'GET', '/v1/overview');
    return undefined;
  },
};
