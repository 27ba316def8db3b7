import { readFileSync } from 'node:fs';
import type { SignInSettings } from '../domain/accounts/token-holder';
import { STAGES, type Stage } from '../domain/stage';
import type { StreamNames } from '../queue/warehouse-streams';
import { stretchTimeBudgets } from '../store/sdk/time-budget';
import type { WarehouseAddress } from '../store/warehouse/warehouse-files';

/** The only reader of the environment. A missing variable fails at cold start, by name, not at the first request. */
function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}

const listOf = (name: string): string[] =>
  (process.env[name] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

// Set only by the local run of a test.
stretchTimeBudgets(Number(process.env.TIME_BUDGET_FACTOR ?? 1));

export const config = {
  stage: (): Stage => {
    const stage = STAGES.find((known) => known === required('STAGE'));
    if (!stage) throw new Error(`STAGE must be one of ${STAGES.join(', ')}`);
    return stage;
  },
  tableName: (): string => required('TABLE_NAME'),
  modelBucket: (): string => required('MODEL_BUCKET'),
  region: (): string => required('AWS_REGION'),
  /** Set only by the local run; in AWS it is absent, and the SDK finds the endpoint by region. */
  awsEndpoint: (): string | undefined => process.env.AWS_ENDPOINT_URL,
  dataKeySecretId: (): string => required('DATA_KEY_SECRET_ID'),
  /** Local escape hatch for webhook receivers on this machine; no deployed function has it (a test checks this). */
  webhookAllowCidrs: (): string[] => listOf('WEBHOOK_ALLOW_CIDRS'),
  webhookExtraCa: (): string | undefined => {
    const file = process.env.WEBHOOK_EXTRA_CA;
    return file ? readFileSync(file, 'utf8') : undefined;
  },
  /** `off` only for scheduled functions of a stage with essential monitoring: values are logged, not sent as metrics. */
  sendsMetrics: (): boolean => process.env.SCHEDULED_METRICS !== 'off',
  /** Whose access tokens are taken in place of keys; absent where nobody signs in by OpenID Connect. */
  signIn: (): SignInSettings | undefined => {
    const given = process.env.SIGN_IN;
    return given ? (JSON.parse(given) as SignInSettings) : undefined;
  },
  freshQueueUrl: (): string => required('FRESH_QUEUE_URL'),
  retryQueueUrl: (): string => required('RETRY_QUEUE_URL'),
  /** The delivery streams of the warehouse, by table. */
  warehouseStreams: (): StreamNames | undefined =>
    process.env.WAREHOUSE_STREAMS === undefined ? undefined : JSON.parse(process.env.WAREHOUSE_STREAMS),
  warehouseUsers: (): 'pseudonym' | 'plain' => (process.env.WAREHOUSE_USERS === 'plain' ? 'plain' : 'pseudonym'),
  /** Where the files of the warehouse are, and Athena asks them; absent where there is no warehouse. */
  warehouse: (): WarehouseAddress | undefined => {
    const { WAREHOUSE: given } = process.env;
    return given ? { ...JSON.parse(given), region: config.region(), endpoint: config.awsEndpoint() } : undefined;
  },
  /** How much training, or a walk of erasures, may read where the table's capacity is provisioned; absent where it is paid per request. */
  readUnitsPerSecond: (): number => Number(process.env.READ_UNITS_PER_SECOND ?? Number.POSITIVE_INFINITY),
  /** The bus that events are put on besides webhooks; set by `-c eventBus=ARN`. */
  eventBusArn: (): string | undefined => process.env.EVENT_BUS_ARN,
  relayFailuresUrl: (): string => required('RELAY_FAILURES_URL'),
};
