import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A resource as a template writes it, intrinsics unresolved. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Mappings?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly Outputs?: Readonly<
    Record<
      string,
      { readonly Value: unknown; readonly Export?: { readonly Name: unknown }; readonly Condition?: string }
    >
  >;
}

/**
 * A stack's template and those of the stacks nested in it, by path: `FraudScreening-sandbox`, then
 * `FraudScreening-sandbox/Functions`, whose last part is the logical ID of the `AWS::CloudFormation::Stack`.
 */
export type StackTemplates = Readonly<Record<string, Template>>;

export const NESTED_STACK = 'AWS::CloudFormation::Stack';

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

interface AssetsFile {
  readonly files?: Readonly<Record<string, { readonly source: { readonly path?: string } }>>;
}

/** Reads a stack and everything nested in it from a cloud assembly: a nested template is an asset, named by its hash. */
export function readStackTemplates(assembly: string, stack: string, path: string = stack, file = ''): StackTemplates {
  const template = readJson<Template>(join(assembly, file || `${stack}.template.json`));
  const nested = Object.entries(template.Resources ?? {}).filter(([, { Type }]) => Type === NESTED_STACK);
  const { files = {} } = nested.length > 0 ? readJson<AssetsFile>(join(assembly, `${stack}.assets.json`)) : {};
  const children = nested.map(([id, { Properties }]) => {
    const [hash = ''] = /[0-9a-f]{64}(?=\.json)/.exec(JSON.stringify(Properties?.TemplateURL)) ?? [];
    const source = files[hash]?.source.path;
    if (!source) throw new Error(`${path}: the template of ${id} is not in the assembly`);
    return readStackTemplates(assembly, stack, `${path}/${id}`, source);
  });
  return Object.assign({ [path]: template }, ...children) as StackTemplates;
}

/** A resource's name in the joined template. @default its logical ID, which must then be unique among the stacks */
type NameOf = (path: string, logicalId: string) => string;

/**
 * One template that says the same as a stack and those nested in it: parameters and outputs between them are replaced by
 * what they stand for. Anyone who reads templates (the local run, tests, the dry run of a deployment) need not know where one
 * stack ends and the next begins.
 */
export function joinStacks(templates: StackTemplates, nameOf: NameOf = (_path, id) => id): Template {
  const [root] = Object.keys(templates).filter((path) => !path.includes('/'));
  if (root === undefined) throw new Error('no stack among the templates');
  const at = (path: string): Template => templates[path] ?? {};
  const isNested = (path: string, id: string): boolean => Object.hasOwn(templates, `${path}/${id}`);

  const ref = (name: string, path: string): unknown => {
    if (name.startsWith('AWS::')) return { Ref: name };
    if (Object.hasOwn(at(path).Resources ?? {}, name)) return { Ref: nameOf(path, name) };
    const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
    const given = at(parent).Resources?.[path.slice(parent.length + 1)]?.Properties?.Parameters;
    const value = (given as Record<string, unknown> | undefined)?.[name];
    return value === undefined ? { Ref: name } : rewrite(value, parent);
  };
  const getAtt = (argument: unknown, path: string): unknown => {
    const [id = '', ...rest] = typeof argument === 'string' ? argument.split('.') : (argument as string[]);
    const attribute = rest.join('.');
    if (!isNested(path, id) || !attribute.startsWith('Outputs.')) {
      return { 'Fn::GetAtt': [nameOf(path, id), attribute] };
    }
    const output = at(`${path}/${id}`).Outputs?.[attribute.slice('Outputs.'.length)];
    if (!output) throw new Error(`${path}/${id} has no output ${attribute}`);
    return rewrite(output.Value, `${path}/${id}`);
  };
  const rewrite = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((member) => rewrite(member, path));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only) {
      if (only[0] === 'Ref') return ref(String(only[1]), path);
      if (only[0] === 'Fn::GetAtt') return getAtt(only[1], path);
    }
    return Object.fromEntries(entries.map(([key, member]) => [key, rewrite(member, path)]));
  };

  /** With the construct's path as if it were in the outermost stack: the local run names functions by it. */
  const named = (resource: TemplateResource, path: string): TemplateResource => {
    const at = resource.Metadata?.['aws:cdk:path'];
    if (typeof at !== 'string' || !at.startsWith(`${path}/`)) return resource;
    return { ...resource, Metadata: { ...resource.Metadata, 'aws:cdk:path': `${root}/${at.slice(path.length + 1)}` } };
  };

  const resources: Record<string, TemplateResource> = {};
  for (const [path, template] of Object.entries(templates)) {
    for (const [id, resource] of Object.entries(template.Resources ?? {})) {
      // CDK's metadata about its versions is in every stack.
      if (resource.Type === 'AWS::CDK::Metadata') continue;
      const name = nameOf(path, id);
      if (Object.hasOwn(resources, name)) throw new Error(`${name} is in more than one of the stacks of ${root}`);
      const { DependsOn: after, Properties: _properties, ...rest } = resource;
      const own = rewrite(resource.Properties ?? {}, path) as NonNullable<TemplateResource['Properties']>;
      const properties = isNested(path, id) ? {} : { Properties: own };
      const depends = after === undefined ? {} : { DependsOn: [after].flat().map((each) => nameOf(path, each)) };
      resources[name] = { ...(rewrite(named(rest, path), path) as TemplateResource), ...properties, ...depends };
    }
  }
  const all = Object.values(templates);
  return {
    ...at(root),
    Conditions: Object.assign({}, ...all.map(({ Conditions }) => Conditions)),
    Mappings: Object.assign({}, ...all.map(({ Mappings }) => Mappings)),
    Resources: resources,
    Outputs: rewrite(at(root).Outputs ?? {}, root) as NonNullable<Template['Outputs']>,
  };
}
