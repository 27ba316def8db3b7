import { described } from '../api';
import { type Check, must } from '../check';
import { hastyPurchase, newPlace } from './story';

const WITHIN_MS = 10_000;

export const cases: Check = {
  name: 'cases',
  proves: 'a case is listed, resolved once, and listed as resolved',
  needs: 'http',
  async run(context) {
    const { api, key, until } = context;
    const { case_id: id } = (await hastyPurchase(context, newPlace(context))).json;
    const isListed = (status: string) => async () => {
      const list = await api.call('GET', `/v1/cases?status=${status}&limit=100`, { key });
      must(list.status === 200, `GET /v1/cases?status=${status} answered ${described(list)}`);
      return list.json.cases.some((each: { case_id: string }) => each.case_id === id) || undefined;
    };
    await until(WITHIN_MS, isListed('open'), () => `${id} was opened but is not among the open cases.`);

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
    await until(WITHIN_MS, isListed('approved'), () => `${id} was approved but is not among the approved cases.`);
    return undefined;
  },
};
