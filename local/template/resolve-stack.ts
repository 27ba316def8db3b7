import type { Template, TemplateResource } from '../../lib/stack-templates';
import { StartError } from '../start-error';
import { type Identity, RESOURCE_TYPES, type ResourceType } from './resource-types';

export interface Scope {
  /** Value of `Ref`: a parameter, a pseudo-parameter or a resource; undefined if there is none with that name. */
  ref(name: string): unknown;
  attribute(logicalId: string, attribute: string): unknown;
  importValue(name: string): unknown;
  condition(name: string): boolean;
  mapping(map: string, topKey: string, key: string): unknown;
}

/** `AWS::NoValue`: the property or list member that holds it disappears. */
export const NO_VALUE = Symbol('AWS::NoValue');

type Resolve = (argument: unknown, scope: Scope) => unknown;

const asText = (value: unknown, what: string): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${what} needs a string, not ${JSON.stringify(value)}`);
};

const asList = (value: unknown, what: string): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  throw new Error(`${what} needs a list, not ${JSON.stringify(value)}`);
};

function ref(argument: unknown, scope: Scope): unknown {
  const value = scope.ref(asText(argument, 'Ref'));
  if (value === undefined)
    throw new Error(`Ref refers to ${String(argument)}, which is neither a parameter nor a resource`);
  return value;
}

function getAtt(argument: unknown, scope: Scope): unknown {
  const [logicalId, ...attribute] = typeof argument === 'string' ? argument.split('.') : asList(argument, 'Fn::GetAtt');
  return scope.attribute(
    asText(logicalId, 'Fn::GetAtt'),
    attribute.map((part) => asText(resolve(part, scope), 'Fn::GetAtt')).join('.'),
  );
}

function sub(argument: unknown, scope: Scope): string {
  const [text, variables] = typeof argument === 'string' ? [argument, {}] : asList(argument, 'Fn::Sub');
  const values = resolve(variables ?? {}, scope) as Record<string, unknown>;
  return asText(text, 'Fn::Sub').replace(/\$\{(!?)([^}]+)\}/g, (_all, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(values, name)) return asText(values[name], 'Fn::Sub');
    return asText(name.includes('.') ? getAtt(name, scope) : ref(name, scope), 'Fn::Sub');
  });
}

function join(argument: unknown, scope: Scope): string {
  const [delimiter, parts] = asList(argument, 'Fn::Join');
  const resolved = asList(resolve(parts, scope), 'Fn::Join');
  return resolved.map((part) => asText(part, 'Fn::Join')).join(asText(delimiter, 'Fn::Join'));
}

function select(argument: unknown, scope: Scope): unknown {
  const [index, list] = asList(resolve(argument, scope), 'Fn::Select');
  const chosen = asList(list, 'Fn::Select')[Number(index)];
  if (chosen === undefined) throw new Error(`Fn::Select asks for member ${String(index)} of a shorter list`);
  return chosen;
}

function split(argument: unknown, scope: Scope): readonly string[] {
  const [delimiter, text] = asList(resolve(argument, scope), 'Fn::Split');
  return asText(text, 'Fn::Split').split(asText(delimiter, 'Fn::Split'));
}

function choose(argument: unknown, scope: Scope): unknown {
  const [condition, whenTrue, whenFalse] = asList(argument, 'Fn::If');
  return resolve(scope.condition(asText(condition, 'Fn::If')) ? whenTrue : whenFalse, scope);
}

function findInMap(argument: unknown, scope: Scope): unknown {
  const [map, top, key] = asList(resolve(argument, scope), 'Fn::FindInMap').map((part) =>
    asText(part, 'Fn::FindInMap'),
  );
  return scope.mapping(map ?? '', top ?? '', key ?? '');
}

const truths = (argument: unknown, scope: Scope, name: string): readonly boolean[] =>
  asList(resolve(argument, scope), name).map((value) => value === true || value === 'true');

const INTRINSICS: Readonly<Record<string, Resolve>> = {
  Ref: ref,
  'Fn::GetAtt': getAtt,
  'Fn::Sub': sub,
  'Fn::Join': join,
  'Fn::Select': select,
  'Fn::Split': split,
  'Fn::If': choose,
  'Fn::FindInMap': findInMap,
  'Fn::ImportValue': (argument, scope) => scope.importValue(asText(resolve(argument, scope), 'Fn::ImportValue')),
  'Fn::Base64': (argument, scope) => Buffer.from(asText(resolve(argument, scope), 'Fn::Base64')).toString('base64'),
  'Fn::Equals': (argument, scope) => {
    const [left, right] = asList(resolve(argument, scope), 'Fn::Equals');
    return String(left) === String(right);
  },
  'Fn::And': (argument, scope) => truths(argument, scope, 'Fn::And').every(Boolean),
  'Fn::Or': (argument, scope) => truths(argument, scope, 'Fn::Or').some(Boolean),
  'Fn::Not': (argument, scope) => !truths(argument, scope, 'Fn::Not')[0],
  Condition: (argument, scope) => scope.condition(asText(argument, 'Condition')),
};

function resolveObject(value: object, scope: Scope): unknown {
  const keys = Object.keys(value);
  const [only] = keys;
  // An IAM statement has a member named Condition next to others; the intrinsic of that name stands alone with a string.
  if (keys.length === 1 && only && (only === 'Ref' || only.startsWith('Fn::') || isConditionReference(value))) {
    const intrinsic = INTRINSICS[only];
    if (!intrinsic) throw new Error(`the local run does not support the intrinsic ${only}`);
    return intrinsic((value as Record<string, unknown>)[only], scope);
  }
  const entries = Object.entries(value).map(([key, member]) => [key, resolve(member, scope)] as const);
  return Object.fromEntries(entries.filter(([, member]) => member !== NO_VALUE));
}

const isConditionReference = (value: object): boolean => 'Condition' in value && typeof value.Condition === 'string';

/** The value with every intrinsic in it replaced; throws with the reason if one cannot be. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) {
    return value.map((member) => resolve(member, scope)).filter((member) => member !== NO_VALUE);
  }
  return typeof value === 'object' && value !== null ? resolveObject(value, scope) : value;
}

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

/** All stacks of one run: the requested one last, its dependencies before it. */
export interface Stacks {
  readonly main: Stack;
  readonly all: readonly Stack[];
  ofType(...types: readonly string[]): readonly StackResource[];
}

/** Resolves stacks in dependency order, passing the exports of each to those after it. */
export function resolveStacks(templates: readonly StackTemplate[], awsEndpoint: string): Stacks {
  const exported = new Map<string, string>();
  const all = templates.map((template) => {
    const stack = resolveStack(template, awsEndpoint, exported);
    for (const [name, value] of stack.exports) exported.set(name, value);
    return stack;
  });
  const main = all.at(-1);
  if (!main) throw new Error('no stack to run');
  const ofType = (...types: readonly string[]): readonly StackResource[] =>
    all.flatMap((stack) => stack.resources.filter(({ type }) => types.includes(type)));
  return { main, all, ofType };
}

/** A template with its origin: its stack name, environment, and the directories of its assets. */
export interface StackTemplate {
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  readonly template: Template;
  /** Object key in the assets bucket → directory (or file) on this machine. */
  readonly assets: ReadonlyMap<string, string>;
}

export interface StackResource {
  readonly logicalId: string;
  readonly type: string;
  /** The developer's name for it: the construct path without stack and trailing `Resource`. */
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly ref: string;
  attribute(name: string): string;
}

export interface Stack {
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  readonly resources: readonly StackResource[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly exports: ReadonlyMap<string, string>;
  readonly assets: ReadonlyMap<string, string>;
}
