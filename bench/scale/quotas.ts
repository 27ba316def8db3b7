/** A limit of AWS's in us-east-1 for an account that has asked for nothing; most are raised on request. */
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
    beyond: '429 rate_limited, for every account of the region',
    source: 'API Gateway quotas: 10,000 requests a second and region, burst 5,000',
  },
  lambdaConcurrency: {
    name: 'Lambda runs at once',
    limit: 1_000,
    unit: '',
    beyond: '503 unavailable',
    source: 'Lambda quotas: 1,000 concurrent executions a region',
  },
  tableWrites: {
    name: 'DynamoDB write units of a table',
    limit: 40_000,
    unit: '/s',
    beyond: 'histories are left out, then 503',
    source: 'DynamoDB quotas: 40,000 write request units a table (on demand)',
  },
  newTableWrites: {
    name: 'write units of a table that is new',
    limit: 4_000,
    unit: '/s',
    beyond: 'the same, until DynamoDB has split its partitions',
    source: 'DynamoDB on-demand: 4,000 write units at once, then twice the last peak',
  },
  queueInFlight: {
    name: 'SQS messages in flight',
    limit: 120_000,
    unit: '',
    beyond: 'webhooks wait; nothing is lost',
    source: 'SQS quotas: 120,000 in flight a standard queue',
  },
  tracedSegments: {
    name: 'X-Ray segments',
    limit: 2_600,
    unit: '/s',
    beyond: 'traces are dropped; nothing else',
    source: 'X-Ray quotas: 2,600 segments a second and region',
  },
} as const satisfies Record<string, Quota>;
