import type { Caller } from '../../shared/domain/accounts/account';
import { ClaimTaken, type IdempotencyRecord } from '../../shared/domain/idempotency';
import type { Rule } from '../../shared/domain/rules/rule';
import { expressionFault, ruleFaults } from '../../shared/domain/rules/rule-faults';
import { Created } from '../../shared/http/answer';
import { type AnswerOnceDeps, endpoint, serveFamily } from '../../shared/http/endpoint';
import {
  ruleAnswer,
  ruleListAnswer,
  ruleTestAnswer,
  ruleVersionsAnswer,
  runningTestAnswer,
} from '../../shared/http/presenters/rule-answer';
import * as routes from '../../shared/routes/rules';
import { functionLogger } from '../../shared/runtime/logger';
import { ruleWiring } from '../../shared/runtime/rule-wiring';
import { type CountMatchesDeps, countMatches } from '../../shared/usecases/rules/count-matches';
import {
  deleteRule,
  getRule,
  getRules,
  getVersions,
  type ManageRulesDeps,
  putRule,
} from '../../shared/usecases/rules/manage-rules';
import {
  getRuleTest,
  startRuleTest,
  TABLE_DAYS,
  type TestRuleDeps,
  testRule,
} from '../../shared/usecases/rules/test-rule';

type Deps = AnswerOnceDeps &
  ManageRulesDeps &
  CountMatchesDeps &
  TestRuleDeps & {
    recordAnswer(accountId: string, record: IdempotencyRecord, nowMs: number): Promise<boolean>;
  };

/** Faults that a schema cannot detect: in the expression, and in members that belong together. */
const bodyFaults = (deps: Deps) => async (body: unknown, caller: Caller) => {
  const { expression, action, points } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const faults = ruleFaults({ action, points });
  if (typeof expression !== 'string') return faults;
  const { declarations } = await deps.rules.book(caller.account_id);
  const fault = expressionFault(expression, undefined, declarations);
  return [...(fault ? [fault] : []), ...faults];
};

/** Without a result yet, 202: who asks again only looks at the status. */
const statusOf = ({ status }: { readonly status?: string | undefined }): number => (status === 'running' ? 202 : 200);

/** Changes nothing; the response is recorded so that a repeat gets the same one. */
const test = (deps: Deps) =>
  endpoint(
    routes.testRuleRoute,
    deps,
    async ({ caller, body, record }) => {
      const answer =
        (body.days ?? 0) > TABLE_DAYS
          ? runningTestAnswer(await startRuleTest(deps, caller, body))
          : ruleTestAnswer(await testRule(deps, caller, body));
      if (record && !(await deps.recordAnswer(caller.account_id, record(answer), deps.clock.now()))) {
        throw new ClaimTaken();
      }
      return answer;
    },
    { bodyFaults: bodyFaults(deps), statusOf },
  );

export const build = (deps: Deps) => {
  const counted = async (caller: Caller, rule: Rule) => ruleAnswer(rule, await countMatches(deps, caller, [rule.name]));
  return serveFamily([
    test(deps),
    endpoint(
      routes.getRuleTestRoute,
      deps,
      async ({ caller, params: { test_id } }) => {
        const test = await getRuleTest(deps, caller, test_id);
        if ('test_id' in test) return runningTestAnswer(test);
        return { ...ruleTestAnswer(test), status: 'complete' as const, test_id };
      },
      { statusOf },
    ),
    endpoint(
      routes.putRuleRoute,
      deps,
      async ({ caller, params, body, ifVersion }) => {
        const { rule, isNew } = await putRule(deps, caller, params.name, { request: body, ifVersion });
        const answer = await counted(caller, rule);
        return isNew ? new Created(answer) : answer;
      },
      { bodyFaults: bodyFaults(deps) },
    ),
    endpoint(routes.listRulesRoute, deps, async ({ caller }) => {
      const rules = await getRules(deps, caller);
      const names = rules.map(({ name }) => name);
      return ruleListAnswer(rules, await countMatches(deps, caller, names));
    }),
    endpoint(routes.getRuleRoute, deps, async ({ caller, params }) =>
      counted(caller, await getRule(deps, caller, params.name)),
    ),
    endpoint(routes.listRuleVersionsRoute, deps, async ({ caller, params }) =>
      ruleVersionsAnswer(await getVersions(deps, caller, params.name)),
    ),
    endpoint(routes.deleteRuleRoute, deps, async ({ caller, params, ifVersion }) => {
      await deleteRule(deps, caller, params.name, ifVersion);
      return undefined;
    }),
  ]);
};

export const handler = build(ruleWiring(functionLogger('rules')));
