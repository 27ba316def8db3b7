import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { KEPT_OPTIONS_OUTPUT, type Options } from '../../lib/kept-options';
import { UsageError } from '../../shared/cli/command-line';
import type { Stage } from '../../shared/domain/stage';

type CloudFormation = Pick<CloudFormationClient, 'send'>;

/** States in which nothing is deployed yet, or nothing any more. */
const EMPTY = /^(?:REVIEW_IN_PROGRESS|ROLLBACK_COMPLETE|DELETE_COMPLETE)$/;

const isMissing = (error: unknown): boolean => /does not exist/.test((error as Error).message);

/**
 * The options that a stage was deployed with: none before its first deployment, `unknown` for a stage that was deployed by
 * a version that kept none.
 */
export async function keptOptions(cloudFormation: CloudFormation, stage: Stage): Promise<Options | 'unknown'> {
  const StackName = `FraudScreening-${stage}`;
  const { Stacks: [stack] = [] } = await cloudFormation
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error: unknown) => {
      if (isMissing(error)) return { Stacks: [] };
      throw new UsageError(
        `The options of ${StackName} cannot be read, and without them a deployment could take a domain or sign-in away: ${(error as Error).message}`,
      );
    });
  if (!stack || EMPTY.test(stack.StackStatus ?? '')) return {};
  const kept = stack.Outputs?.find(({ OutputKey }) => OutputKey === KEPT_OPTIONS_OUTPUT)?.OutputValue;
  return kept === undefined ? 'unknown' : (JSON.parse(kept) as Options);
}
