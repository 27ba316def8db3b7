import { join } from 'node:path';
import type { CallRecord } from '../aws/call';
import type { Backends } from '../backends/start-backends';
import type { AwsMetrics } from '../cloudwatch/aws-metrics';
import type { DataDirectory } from '../data-directory';
import type { Roles } from '../iam/roles';
import type { Functions } from '../lambda/invoke-asynchronously';
import type { Provisioned } from '../provision/provision';
import type { Stacks } from '../template/resolve-stack';
import { eventSourceMapping, type Mapping, shareOut } from './mapping';
import { startQueuePoller } from './queue-poller';
import { type Poller, startStreamPoller } from './stream-poller';
import { checkpoints, streamReader, type Waker, waker } from './stream-reader';

export interface PollerDeps {
  readonly stacks: Stacks;
  readonly functions: Functions;
  readonly roles: Roles;
  readonly backends: Backends;
  readonly data: DataDirectory;
  readonly provisioned: Provisioned;
  readonly metrics: Pick<AwsMetrics, 'iteratorAge'>;
  readonly calls: CallRecord;
  report(problem: string): void;
}

export interface Pollers extends Poller {
  wake(tableName: string): void;
}

export async function startPollers(deps: PollerDeps): Promise<Pollers> {
  const { stacks, functions, roles, backends, data, provisioned, report } = deps;
  const { region } = stacks.main;
  const urlOf = (arn: string): string | undefined => provisioned.queueUrls.get(arn.split(':').at(-1) ?? '');
  const wakers = new Map<string, Waker[]>();

  const sendToQueue = async (arn: string, body: string): Promise<void> => {
    await backends.fauxqs.call('AmazonSQS.SendMessage', { QueueUrl: urlOf(arn), MessageBody: body });
  };

  const stream = async (mapping: Mapping): Promise<Poller> => {
    const table = /:table\/([^/]+)\//.exec(mapping.sourceArn)?.[1] ?? '';
    const reader = await streamReader(backends.dynamodb, table, mapping.sourceArn, region);
    const own = waker();
    wakers.set(table, [...(wakers.get(table) ?? []), own]);
    return startStreamPoller({
      mapping,
      reader,
      checkpoints: checkpoints(data.checkpoints && join(data.checkpoints, `${mapping.id}.json`), reader.streamArn),
      waker: own,
      tableIsOld: provisioned.oldTables.has(table),
      sendToQueue,
      onBatch: (ageMs) => deps.metrics.iteratorAge(mapping.target.config.functionName, ageMs),
      report,
    });
  };

  const queues = stacks.ofType('AWS::SQS::Queue');
  const deadLettersOf = (arn: string): string | undefined => {
    const redrive = queues.find((queue) => queue.attribute('Arn') === arn)?.properties.RedrivePolicy;
    return (redrive as { readonly deadLetterTargetArn?: string } | undefined)?.deadLetterTargetArn;
  };
  const mappings = shareOut(
    stacks
      .ofType('AWS::Lambda::EventSourceMapping')
      .flatMap((resource) => eventSourceMapping(resource, { functions, roles, queues, calls: deps.calls }) ?? []),
  );
  const pollers: Poller[] = [];
  for (const mapping of mappings) {
    const queueUrl = urlOf(mapping.sourceArn);
    pollers.push(
      queueUrl
        ? startQueuePoller({
            mapping,
            client: backends.fauxqs,
            queueUrl,
            deadLettersUrl: urlOf(deadLettersOf(mapping.sourceArn) ?? ''),
            region,
            report,
          })
        : await stream(mapping),
    );
  }
  return {
    wake: (table) => {
      for (const own of wakers.get(table) ?? []) own.wake();
    },
    stop: async () => {
      await Promise.all(pollers.map((poller) => poller.stop()));
    },
  };
}
