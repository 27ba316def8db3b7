import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import type { ServiceFunction } from '../constructs/service-function';

export interface SavedQueriesProps {
  readonly stage: Stage;
  readonly accessLog: ILogGroup;
  readonly functions: ReadonlyMap<string, ServiceFunction>;
}

/** Questions of on-call that no metric answers, under Logs Insights → Queries → Fraud screening. */
export function addSavedQueries(scope: Construct, { stage, accessLog, functions }: SavedQueriesProps): void {
  const save = (id: string, question: string, logGroups: readonly ILogGroup[], query: QueryString): void => {
    new QueryDefinition(scope, id, {
      queryDefinitionName: `Fraud screening/${stage}/${question}`,
      logGroups: [...logGroups],
      queryString: query,
    });
  };
  const logsOf = (...names: readonly string[]): ILogGroup[] =>
    names.flatMap((name) => functions.get(name)?.lambda.logGroup ?? []);

  save(
    'WhichAccount',
    'Which account gets errors?',
    [accessLog],
    new QueryString({
      filterStatements: ['status >= 400'],
      statsStatements: ['count(*) as answers by account_id, route, status, error'],
      sort: 'answers desc',
      limit: 50,
    }),
  );
  save(
    'WhichEndpoint',
    'Which endpoint fails?',
    logsOf('deliver-webhook'),
    new QueryString({
      filterStatements: ['message = "attempt"', 'outcome != "delivered"'],
      statsStatements: ['count(*) as attempts by webhook_id, account_id, outcome, status_code'],
      sort: 'attempts desc',
      limit: 50,
    }),
  );
  save(
    'WhatFailed',
    'What failed, and why?',
    // Logs Insights queries at most 50 log groups at once.
    logsOf(...functions.keys()).slice(0, 50),
    new QueryString({
      fields: ['@timestamp', 'service', 'message', 'error.name', 'error.message', 'errorMessage', 'request_id'],
      filterStatements: ['level = "ERROR" or errorMessage like /Task timed out/'],
      sort: '@timestamp desc',
      limit: 100,
    }),
  );
}
