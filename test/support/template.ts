import { joinStacks, readStackTemplates, type Template } from '../../lib/stack-templates';
import { assemblyUnderTest } from './synthesize-once';

// biome-ignore lint/suspicious/noExplicitAny: a template is whatever CloudFormation says it is.
export type Properties = any;

export interface Resource {
  readonly id: string;
  readonly Type: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata?: Record<string, unknown>;
  readonly UpdatePolicy?: Properties;
}

/** A synthesized stack and those nested in it, as one template. */
export const templateOf = (stack: string, assembly = assemblyUnderTest()): Template =>
  joinStacks(readStackTemplates(assembly, stack));

/** The resources of a synthesized stack and of those nested in it. */
export function resourcesOf(stack: string, assembly = assemblyUnderTest()): Resource[] {
  const { Resources: resources = {} } = templateOf(stack, assembly);
  return Object.entries(resources).map(([id, resource]) => ({ id, Properties: {}, ...resource })) as Resource[];
}

/** The outputs of a synthesized stack. */
export const outputsOf = (
  stack: string,
  assembly = assemblyUnderTest(),
): Readonly<Record<string, { readonly Value: Properties }>> => templateOf(stack, assembly).Outputs ?? {};

/** The statements of a role: its own statements, and those of policies attached to it. */
export function statementsOfRole(resources: readonly Resource[], roleId: string): Properties[] {
  const role = resources.find(({ id }) => id === roleId);
  const attached = ofType(resources, 'AWS::IAM::Policy').filter(({ Properties: p }) => p.Roles[0].Ref === roleId);
  const documents = [...(role?.Properties.Policies ?? []), ...attached.map(({ Properties: p }) => p)];
  return documents.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

export const ofType = (resources: readonly Resource[], type: string): Resource[] =>
  resources.filter((resource) => resource.Type === type);

/** The path of an API Gateway resource, from its chain of parents. */
export function pathOf(resources: readonly Resource[], reference: Properties): string {
  const resource = resources.find(({ id }) => id === reference.Ref);
  if (!resource) return '';
  return `${pathOf(resources, resource.Properties.ParentId)}/${resource.Properties.PathPart}`;
}

/** The functions that are ours: not CDK's own, which fill and empty the console's bucket within a deployment. */
export const ownFunctions = (resources: readonly Resource[]): Resource[] =>
  ofType(resources, 'AWS::Lambda::Function').filter(
    ({ id }) => !/^Custom(?:CDKBucketDeployment|S3AutoDeleteObjects)/.test(id),
  );
