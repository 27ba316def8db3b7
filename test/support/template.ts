import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The resources of a synthesized stack. */
export function resourcesOf(stack: string): Resource[] {
  const template = JSON.parse(readFileSync(join(assemblyUnderTest(), `${stack}.template.json`), 'utf8'));
  return Object.entries(template.Resources).map(([id, resource]) => ({
    id,
    Properties: {},
    ...(resource as object),
  })) as Resource[];
}

/** The outputs of a synthesized stack. */
export function outputsOf(stack: string): Readonly<Record<string, { readonly Value: Properties }>> {
  return JSON.parse(readFileSync(join(assemblyUnderTest(), `${stack}.template.json`), 'utf8')).Outputs;
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
