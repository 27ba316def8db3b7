/** A default AWS quota in us-east-1; most can be raised on request. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  readonly unit: string;
  /** What happens to callers beyond it. */
  readonly beyond: string;
  readonly source: string;
}

export const QUOTAS = {
  apiRequests: {
    name: 'API Gateway requests',
    limit: 10_000,
    unit: '/s',
    beyond: '429 rate_limited, for every account in the region',
    source: 'API Gateway quotas: 10,000 requests per second per region, burst 5,000',
  },
  lambdaConcurrency: {
    name: 'Lambda concurrent executions',
    limit: 1_000,
    unit: '',
    beyond: '503 unavailable',
    source: 'Lambda quotas: 1,000 concurrent executions per region',
  },
  tableWrites: {
    name: 'DynamoDB write units per table',
    limit: 40_000,
    unit: '/s',
    beyond: 'histories are left out, then 503',
    source: 'DynamoDB quotas: 40,000 write request units per table (on demand)',
  },
  newTableWrites: {
    name: 'write units of a new table',
    limit: 4_000,
    unit: '/s',
    beyond: 'the same, until DynamoDB has split its partitions',
    source: 'DynamoDB on-demand: 4,000 write units initially, then twice the last peak',
  },
  queueInFlight: {
    name: 'SQS messages in flight',
    limit: 120_000,
    unit: '',
    beyond: 'webhooks wait; nothing is lost',
    source: 'SQS quotas: 120,000 in flight per standard queue',
  },
  tracedSegments: {
    name: 'X-Ray segments',
    limit: 2_600,
    unit: '/s',
    beyond: 'traces are dropped; nothing else',
    source: 'X-Ray quotas: 2,600 segments per second per region',
  },
} as const satisfies Record<string, Quota>;
