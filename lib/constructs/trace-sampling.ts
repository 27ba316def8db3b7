import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';

export interface TraceSamplingProps {
  readonly stage: Stage;
  /** The API's name in API Gateway. */
  readonly apiName: string;
}

/** One request in a hundred: enough to see where time goes. Every request has its log line anyway. */
const TRACED_SHARE = 0.01;

// Before X-Ray's default rule (10,000) and after rules that a platform makes for a day of looking closer.
const PRIORITY = 9_000;

/**
 * Which requests X-Ray traces. Its default rule traces the first request of every second besides 5% of the rest: at two
 * requests per second that is half of them, and an eighth of the bill.
 */
export class TraceSampling extends Construct {
  constructor(scope: Construct, id: string, { stage, apiName }: TraceSamplingProps) {
    super(scope, id);
    new CfnSamplingRule(this, 'Rule', {
      samplingRule: {
        // At most 32 characters, and unique in the region.
        ruleName: `fraud-screening-${stage}`,
        version: 1,
        priority: PRIORITY,
        fixedRate: TRACED_SHARE,
        reservoirSize: 0,
        // The name that API Gateway gives its segments; functions behind it follow its decision.
        serviceName: `${apiName}/${stage}`,
        serviceType: '*',
        host: '*',
        httpMethod: '*',
        urlPath: '*',
        resourceArn: '*',
      },
    });
  }
}
