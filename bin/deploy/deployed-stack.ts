import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { KEPT_OPTIONS_OUTPUT, type Options } from '../../lib/kept-options';
import { NESTED_STACK, type StackTemplates, type Template } from '../../lib/stack-templates';
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

async function nestedIn(cloudFormation: CloudFormation, StackName: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let NextToken: string | undefined;
  do {
    const command: ListStackResourcesCommand = new ListStackResourcesCommand({
      StackName,
      ...(NextToken ? { NextToken } : {}),
    });
    const page = await cloudFormation.send(command);
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (ResourceType !== NESTED_STACK || !LogicalResourceId || !PhysicalResourceId) continue;
      found.set(LogicalResourceId, PhysicalResourceId);
    }
    NextToken = page.NextToken;
  } while (NextToken);
  return found;
}

/** The templates that a stack and those nested in it have now, by path; none if there is no such stack. */
export async function deployedTemplates(
  cloudFormation: CloudFormation,
  path: string,
  StackName = path,
): Promise<StackTemplates> {
  try {
    const deployed = await cloudFormation.send(new GetTemplateCommand({ StackName, TemplateStage: 'Original' }));
    const templates = { [path]: JSON.parse(deployed.TemplateBody ?? '{}') as Template };
    for (const [id, arn] of await nestedIn(cloudFormation, StackName)) {
      Object.assign(templates, await deployedTemplates(cloudFormation, `${path}/${id}`, arn));
    }
    return templates;
  } catch (error) {
    if (isMissing(error)) return {};
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The template of ${StackName} cannot be read: ${(error as Error).message}`);
  }
}
