import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { transactionAnswer } from '../../shared/http/presenters/screening-answer';
import { getTransactionRoute } from '../../shared/routes/transactions';
import { functionBasics } from '../../shared/runtime/function-basics';
import { screeningReader } from '../../shared/store/screening/screening-reader';
import type { ReadScreeningDeps } from '../../shared/usecases/screening/get-decision';
import { getTransaction } from '../../shared/usecases/screening/get-transaction';

export const build = (deps: EndpointDeps & ReadScreeningDeps) =>
  endpoint(getTransactionRoute, deps, async ({ caller, params }) =>
    transactionAnswer(await getTransaction(deps, caller, params.id)),
  );

const { table, ...basics } = functionBasics('get-transaction');

export const handler = build({
  ...basics,
  screenings: screeningReader(table),
});
