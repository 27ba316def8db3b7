import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { riskProfileAnswer } from '../../shared/http/presenters/risk-profile-answer';
import { getRiskProfileRoute } from '../../shared/routes/users';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { profileReader } from '../../shared/store/entities/entity-store';
import { ruleStore } from '../../shared/store/rules/rule-store';
import { openOnceClient, openTable } from '../../shared/store/sdk/client';
import { type RiskProfileDeps, userRiskProfile } from '../../shared/usecases/entities/user-risk-profile';

export const build = (deps: EndpointDeps & Required<RiskProfileDeps>) =>
  endpoint(getRiskProfileRoute, deps, async ({ caller, params }) =>
    riskProfileAnswer(await userRiskProfile(deps, caller, params.user_id)),
  );

const log = functionLogger('get-risk-profile');

export const handler = build({
  clock: systemClock,
  log,
  pseudonyms: pseudonymWiring(log),
  entities: profileReader({ onceClient: openOnceClient(), name: config.tableName() }),
  books: ruleStore(openTable(config.tableName())),
});
