import { measured } from '../../bench/cost/measured';
import { monthlyBill, totalOf, type Workload } from '../../bench/cost/monthly-bill';
import { inventoryOf } from '../../bench/cost/stack-inventory';
import { US_EAST_1 } from '../../lib/prices';
import { duration, type Fact, inWords } from './fact';

interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is whatever CloudFormation says it is.
  readonly Properties?: any;
}

const IDLE: Workload = {
  screenings: 0,
  caseRate: 0,
  resolvedRate: 0,
  idempotencyRate: 0,
  screeningsPerUser: 1,
  readsPerScreening: 0,
  webhooksPerScreening: 0,
  accounts: 0,
  screeningMs: 0,
  receiverMs: 0,
};

/** What a template says of the only value that all resources of a type have for a property. */
function only(
  resources: readonly Resource[],
  type: string,
  read: (properties: Resource['Properties']) => unknown,
): unknown {
  const values = new Set(resources.filter(({ Type }) => Type === type).map(({ Properties }) => read(Properties)));
  if (values.size !== 1) throw new Error(`${type}: ${[...values].join(', ')} where the documents name one value`);
  return [...values][0];
}

/** What a stage costs per month without any traffic. */
const idlePrice = (resources: readonly Resource[]): string =>
  `$${totalOf(monthlyBill(IDLE, measured, inventoryOf(resources), US_EAST_1)).toFixed(2)}`;

/** What documents say that the template of a sandbox with its default, essential monitoring knows. */
export function sandboxFacts(resources: readonly Resource[]): Fact[] {
  const idle = idlePrice(resources);
  return [
    { page: 'README.md', says: /an idle sandbox costs (\$[\d.]+) per month/, value: idle },
    { page: 'README.md', says: /An idle sandbox costs (\$[\d.]+) per month/, value: idle },
    { page: 'docs/guide/faq.md', says: /About (\$[\d.]+) per month for an idle sandbox/, value: idle },
  ];
}

/** What documents say that the synthesized template of a stage knows. */
export function templateFacts(resources: readonly Resource[]): Fact[] {
  const idle = idlePrice(resources);
  const logDays = `${only(resources, 'AWS::Logs::LogGroup', (group) => group.RetentionInDays)} days`;
  const throttle = only(
    resources,
    'AWS::ApiGateway::UsagePlan',
    ({ Throttle }) => `${Throttle.RateLimit}, ${Throttle.BurstLimit}`,
  );
  const deadLetterSeconds = Math.max(
    ...resources
      .filter(({ Type }) => Type === 'AWS::SQS::Queue')
      .map(({ Properties }) => Properties.MessageRetentionPeriod ?? 0),
  );
  const training = resources.find(({ Properties }) => /^rate\(\d+ hours\)$/.test(Properties?.ScheduleExpression));
  const hours = Number(/\d+/.exec(training?.Properties.ScheduleExpression)?.[0]);
  return [
    { page: 'README.md', says: /an idle production stage (\$[\d.]+)/, value: idle },
    { page: 'docs/guide/faq.md', says: /(\$[\d.]+) for production/, value: idle },
    { page: 'README.md', says: /role and log group \((\d+ days)\)/, value: logDays },
    { page: 'SECURITY.md', says: /^\| logs \|.* (\d+ days) \|$/m, value: logDays },
    { page: 'docs/deploying.md', says: /`accountBurstLimit` \| (\d+, \d+) \|/, value: String(throttle) },
    {
      page: 'docs/runbook.md',
      says: /dead-letter queue, where it stays for (\d+ days)/,
      value: duration(deadLetterSeconds * 1_000),
    },
    { page: 'docs/guide/migration.md', says: /automatically every (\w+) hours/, value: inWords(hours) },
    { page: 'docs/runbook.md', says: /`training` line appears every (\w+) hours/, value: inWords(hours) },
  ];
}
