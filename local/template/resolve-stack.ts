import type { TemplateResource } from '../../lib/stack-templates';
import { StartError } from '../start-error';
import { NO_VALUE, resolve, type Scope } from './intrinsics';
import { type Identity, RESOURCE_TYPES, type ResourceType } from './resource-types';
import type { Stack, StackResource, StackTemplate } from './types';

interface Known {
  readonly resource: TemplateResource;
  readonly type: ResourceType;
  readonly identity: Identity;
}

const URL_SUFFIX = 'amazonaws.com';

function constructName(logicalId: string, resource: TemplateResource): string {
  const path = resource.Metadata?.['aws:cdk:path'];
  if (typeof path !== 'string') return logicalId;
  const [, ...parts] = path.split('/');
  if (parts.at(-1) === 'Resource') parts.pop();
  // A construct that wraps its function has the more meaningful name.
  if (parts.at(-1) === 'Function' && parts.length > 1) parts.pop();
  return parts.join('/') || logicalId;
}

const because = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Resolves every intrinsic of a template against this machine; `imports` are the exports of the stacks before it. */
export function resolveStack(source: StackTemplate, awsEndpoint: string, imports: ReadonlyMap<string, string>): Stack {
  const { stackName, region, account, template } = source;
  const known = new Map<string, Known>();
  const pseudo: Readonly<Record<string, unknown>> = {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': URL_SUFFIX,
    'AWS::StackName': stackName,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/local`,
    'AWS::NotificationARNs': [],
    'AWS::NoValue': NO_VALUE,
  };

  const scope: Scope = {
    ref: (name) => {
      if (Object.hasOwn(pseudo, name)) return pseudo[name];
      const found = known.get(name);
      return found ? found.type.ref(found.identity) : template.Parameters?.[name]?.Default;
    },
    attribute: (logicalId, attribute) => {
      const found = known.get(logicalId);
      const value = found?.type.attributes[attribute]?.(found.identity);
      if (value === undefined)
        throw new Error(`Fn::GetAtt asks for ${logicalId}.${attribute}, which the local run does not support`);
      return value;
    },
    importValue: (name) => {
      const value = imports.get(name);
      if (value === undefined)
        throw new Error(`Fn::ImportValue asks for ${name}, which no stack before this one exports`);
      return value;
    },
    condition: (name) => {
      const expression = template.Conditions?.[name];
      if (expression === undefined) throw new Error(`the condition ${name} is not in the template`);
      return resolve(expression, scope) === true;
    },
    mapping: (map, topKey, key) => {
      const value = template.Mappings?.[map]?.[topKey]?.[key];
      if (value === undefined) throw new Error(`Fn::FindInMap finds nothing at ${map}.${topKey}.${key}`);
      return value;
    },
  };

  const resolveFor = (logicalId: string, type: string, value: unknown): unknown => {
    try {
      return resolve(value, scope);
    } catch (error) {
      throw new StartError(`${logicalId} (${type}) in ${stackName} cannot be resolved: ${because(error)}.`);
    }
  };

  for (const [logicalId, resource] of Object.entries(template.Resources ?? {})) {
    if (resource.Condition && !scope.condition(resource.Condition)) continue;
    const type = RESOURCE_TYPES[resource.Type];
    if (!type) {
      throw new StartError(
        `${logicalId} in ${stackName} is of type ${resource.Type}, which the local run does not support. Add it to local/template/resource-types.ts.`,
      );
    }
    const property = (name: string): unknown =>
      resource.Properties?.[name] === undefined
        ? undefined
        : resolveFor(logicalId, resource.Type, resource.Properties[name]);
    known.set(logicalId, {
      resource,
      type,
      identity: { logicalId, stackName, region, account, awsEndpoint, property },
    });
  }

  const resources = [...known].map(([logicalId, { resource, type, identity }]): StackResource => {
    const properties = resolveFor(logicalId, resource.Type, resource.Properties ?? {}) as Record<string, unknown>;
    return {
      logicalId,
      type: resource.Type,
      name: constructName(logicalId, resource),
      properties,
      ref: type.ref(identity),
      attribute: (name) => String(scope.attribute(logicalId, name)),
    };
  });

  const outputs: Record<string, string> = {};
  const exported = new Map<string, string>();
  for (const [name, output] of Object.entries(template.Outputs ?? {})) {
    if (output.Condition && !scope.condition(output.Condition)) continue;
    outputs[name] = String(resolveFor(name, 'output', output.Value));
    if (output.Export) exported.set(String(resolveFor(name, 'output', output.Export.Name)), outputs[name]);
  }
  return { stackName, region, account, resources, outputs, exports: exported, assets: source.assets };
}
