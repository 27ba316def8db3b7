/** A list price; with tiers, each applies from its quantity on. */
export interface Price {
  readonly unit: string;
  readonly tiers: ReadonlyArray<{ readonly from: number; readonly usd: number }>;
  /** The page, without `https://`, and which of its prices. */
  readonly source: string;
  /** The month in which the page said so. */
  readonly asOf: string;
}

const AS_OF = '2026-11';

const flat = (unit: string, usd: number, source: string): Price => ({
  unit,
  tiers: [{ from: 0, usd }],
  source,
  asOf: AS_OF,
});
const million = (usd: number): number => usd / 1e6;
const TB = 1_000;

/**
 * On-demand list prices of us-east-1 in November 2026, before any free tier, discount or savings plan. Other regions
 * cost up to 60% more: `--prices` takes a file with your own.
 */
export const US_EAST_1 = {
  apiRequest: {
    unit: 'request',
    tiers: [
      { from: 0, usd: million(3.5) },
      { from: 333e6, usd: million(2.8) },
      { from: 1e9, usd: million(2.38) },
      { from: 20e9, usd: million(1.51) },
    ],
    source: 'aws.amazon.com/api-gateway/pricing (REST)',
    asOf: AS_OF,
  },
  lambdaRequest: flat('request', million(0.2), 'aws.amazon.com/lambda/pricing'),
  lambdaGbSecond: {
    unit: 'GB-s',
    tiers: [
      { from: 0, usd: 0.0000133334 },
      { from: 7.5e9, usd: 0.0000120001 },
      { from: 18.75e9, usd: 0.0000106667 },
    ],
    source: 'aws.amazon.com/lambda/pricing (arm64)',
    asOf: AS_OF,
  },
  tableWrite: flat('write unit', million(0.625), 'aws.amazon.com/dynamodb/pricing/on-demand'),
  tableRead: flat('read unit', million(0.125), 'aws.amazon.com/dynamodb/pricing/on-demand'),
  tableStorage: flat('GB-month', 0.25, 'aws.amazon.com/dynamodb/pricing/on-demand'),
  tableRecovery: flat('GB-month', 0.2, 'aws.amazon.com/dynamodb/pricing/on-demand (PITR)'),
  streamRead: flat('read', 0, 'aws.amazon.com/dynamodb/pricing/on-demand (free for Lambda triggers)'),
  queueRequest: flat('request', million(0.4), 'aws.amazon.com/sqs/pricing (standard)'),
  fairQueueRequest: flat('request', million(0.1), 'aws.amazon.com/sqs/pricing (fair queues, on top)'),
  functionLogs: {
    unit: 'GB',
    tiers: [
      { from: 0, usd: 0.5 },
      { from: 10 * TB, usd: 0.25 },
      { from: 30 * TB, usd: 0.1 },
      { from: 50 * TB, usd: 0.05 },
    ],
    source: 'aws.amazon.com/cloudwatch/pricing (Lambda logs)',
    asOf: AS_OF,
  },
  accessLogs: flat('GB', 0.5, 'aws.amazon.com/cloudwatch/pricing (logs, standard class)'),
  keptLogs: flat('GB-month', 0.03, 'aws.amazon.com/cloudwatch/pricing (log storage, compressed)'),
  metric: {
    unit: 'metric',
    tiers: [
      { from: 0, usd: 0.3 },
      { from: 10_000, usd: 0.1 },
    ],
    source: 'aws.amazon.com/cloudwatch/pricing (custom and detailed metrics)',
    asOf: AS_OF,
  },
  dashboard: flat('dashboard', 3, 'aws.amazon.com/cloudwatch/pricing'),
  alarmMetric: flat('alarm metric', 0.1, 'aws.amazon.com/cloudwatch/pricing (standard resolution)'),
  compositeAlarm: flat('alarm', 0.5, 'aws.amazon.com/cloudwatch/pricing'),
  key: flat('key', 1, 'aws.amazon.com/kms/pricing (customer managed)'),
  keyRequest: flat('request', 0.03 / 10_000, 'aws.amazon.com/kms/pricing'),
  secret: flat('secret', 0.4, 'aws.amazon.com/secrets-manager/pricing'),
  secretRead: flat('request', 0.05 / 10_000, 'aws.amazon.com/secrets-manager/pricing'),
  bucketStorage: flat('GB-month', 0.023, 'aws.amazon.com/s3/pricing'),
  bucketRead: flat('request', 0.0004 / 1_000, 'aws.amazon.com/s3/pricing'),
  cdnRequest: flat('request', 0.01 / 10_000, 'aws.amazon.com/cloudfront/pricing (HTTPS, North America)'),
  cdnTransfer: flat('GB', 0.085, 'aws.amazon.com/cloudfront/pricing (North America)'),
  schedule: flat('event', 0, 'aws.amazon.com/eventbridge/pricing (scheduled rules are free)'),
  transferOut: {
    unit: 'GB',
    tiers: [
      { from: 0, usd: 0.09 },
      { from: 10 * TB, usd: 0.085 },
      { from: 50 * TB, usd: 0.07 },
      { from: 150 * TB, usd: 0.05 },
    ],
    source: 'aws.amazon.com/ec2/pricing/on-demand (data transfer out)',
    asOf: AS_OF,
  },
} as const satisfies Record<string, Price>;

/** Amazon Fraud Detector's price for the same: a prediction by a trained model, first tier of its list prices. */
export const FRAUD_DETECTOR_PREDICTION = flat('prediction', 0.03, 'aws.amazon.com/fraud-detector/pricing (first tier)');

export type PriceName = keyof typeof US_EAST_1;
export type PriceList = Readonly<Record<PriceName, Price>>;

export function priceOf({ tiers }: Price, quantity: number): number {
  return tiers.reduce((sum, { from, usd }, index) => {
    const to = tiers[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    return sum + Math.max(0, Math.min(quantity, to) - from) * usd;
  }, 0);
}
