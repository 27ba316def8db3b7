import { readJsonFile, writeJsonFile } from '../json-file';
import type { Stacks } from '../template/resolve-stacks';
import type { StackResource } from '../template/types';

/** What a deployment keeps a copy of. */
const KEPT = ['AWS::ApiGateway::Authorizer', 'AWS::ApiGateway::GatewayResponse', 'AWS::ApiGateway::Method'] as const;

type Kept = (typeof KEPT)[number];

interface Snapshot {
  readonly deployment: string;
  readonly properties: Readonly<Record<string, StackResource['properties']>>;
}

/**
 * The API as its deployment has it. A stage serves a copy that was made when its deployment was: what changes afterwards
 * reaches nobody until another deployment, with another logical ID, is made.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-deploy-api.html
 */
export function deployedResources(
  stacks: Stacks,
  options?: { readonly file: string; readonly print: (line: string) => void },
): (type: Kept) => readonly StackResource[] {
  const [deployment] = stacks.ofType('AWS::ApiGateway::Deployment');
  if (!options || !deployment) return (type) => stacks.ofType(type);
  const now: Snapshot = {
    deployment: deployment.logicalId,
    properties: Object.fromEntries(stacks.ofType(...KEPT).map(({ logicalId, properties }) => [logicalId, properties])),
  };
  const before = readJsonFile<Snapshot>(options.file, now);
  const kept = before.deployment === now.deployment ? before : now;
  if (kept === now) writeJsonFile(options.file, now);
  return (type) =>
    stacks.ofType(type).flatMap((resource) => {
      const properties = kept.properties[resource.logicalId];
      if (JSON.stringify(properties) === JSON.stringify(resource.properties)) return [resource];
      options.print(
        `${resource.logicalId} (${type}) changes, and ${deployment.logicalId} does not: as in AWS, the stage keeps ${properties ? 'the old one' : 'doing without it'}.`,
      );
      return properties ? [{ ...resource, properties }] : [];
    });
}
