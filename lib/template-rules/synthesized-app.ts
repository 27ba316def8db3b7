import { joinStacks, type StackTemplates } from '../stack-templates';

// biome-ignore lint/suspicious/noExplicitAny: a property is whatever CloudFormation says it is.
export type Value = any;

export interface Resource {
  readonly stack: string;
  readonly id: string;
  readonly Type: string;
  readonly Properties: Value;
  readonly DependsOn?: string | readonly string[];
  readonly UpdatePolicy?: Value;
}

const list = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : ([value].flat() as T[]);

/** An unresolved reference counts with this many characters: an ARN with a generated name. */
const REFERENCE_LENGTH = 120;
const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::AccountId': '123456789012',
  'AWS::Region': 'ap-southeast-1',
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::NoValue': '',
};

/** A value as text: its known parts, and `x` for every reference. */
export function textOf(value: Value): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join('');
  const [[name, argument] = ['', undefined]] = Object.entries(value) as [string, Value][];
  if (name === 'Fn::Join') return argument[1].map(textOf).join(argument[0]);
  if (name === 'Fn::Sub') return textOf(typeof argument === 'string' ? argument : argument[0]);
  if (name === 'Ref' && PSEUDO[argument] !== undefined) return PSEUDO[argument] as string;
  return name === 'Ref' || name.startsWith('Fn::') ? 'x'.repeat(REFERENCE_LENGTH) : JSON.stringify(resolved(value));
}

export function resolved(value: Value): Value {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(resolved);
  const names = Object.keys(value);
  if (names.length === 1 && /^(?:Ref|Fn::.*)$/.test(names[0] ?? '')) return textOf(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each)]));
}

/** Stacks with those nested in them as one template each, by the name of the outermost. */
function joined(templates: StackTemplates): StackTemplates {
  const roots = Object.keys(templates).filter((path) => !path.includes('/'));
  const within = (root: string): StackTemplates =>
    Object.fromEntries(Object.entries(templates).filter(([path]) => path === root || path.startsWith(`${root}/`)));
  return Object.fromEntries(roots.map((root) => [root, joinStacks(within(root))]));
}

/** Every template of the app at once, with the references between its resources, across stacks too. */
export class SynthesizedApp {
  readonly resources: readonly Resource[];
  private readonly directly = new Map<Resource, readonly Resource[]>();
  private readonly byType = new Map<string, readonly Resource[]>();
  private readonly byKey: ReadonlyMap<string, Resource>;
  private readonly exported: ReadonlyMap<string, { readonly stack: string; readonly value: Value }>;

  /** The `templates` are by path, as `readStackTemplates` reads them; `join` is what rules see as one stack. */
  constructor(
    readonly templates: StackTemplates,
    join: (templates: StackTemplates) => StackTemplates = joined,
  ) {
    const whole = join(templates);
    this.resources = Object.entries(whole).flatMap(([stack, { Resources = {} }]) =>
      Object.entries(Resources).map(([id, resource]) => ({
        ...resource,
        Properties: resource.Properties ?? {},
        stack,
        id,
      })),
    );
    this.byKey = new Map(this.resources.map((resource) => [`${resource.stack}/${resource.id}`, resource]));
    this.exported = new Map(
      Object.entries(whole).flatMap(([stack, { Outputs = {} }]) =>
        Object.values(Outputs).flatMap(({ Value: value, Export }) =>
          Export ? [[textOf(Export.Name), { stack, value }] as const] : [],
        ),
      ),
    );
  }

  ofType(...types: readonly string[]): readonly Resource[] {
    return types.flatMap((type) => {
      const known = this.byType.get(type) ?? this.resources.filter(({ Type }) => Type === type);
      this.byType.set(type, known);
      return known;
    });
  }

  exports(name: Value): boolean {
    return this.exported.has(textOf(name));
  }

  targets(stack: string, value: Value): readonly Resource[] {
    if (value === null || typeof value !== 'object') return [];
    if (Array.isArray(value)) return value.flatMap((each) => this.targets(stack, each));
    return Object.entries(value).flatMap(([name, argument]: [string, Value]) => {
      if (name === 'Ref') return this.find(stack, argument);
      if (name === 'Fn::GetAtt')
        return this.find(stack, Array.isArray(argument) ? argument[0] : argument.split('.')[0]);
      if (name === 'Fn::Sub') {
        const names = [...textOf({ 'Fn::Sub': argument }).matchAll(/\$\{([\w]+)[\w.]*\}/g)].map(([, id = '']) => id);
        return [...names.flatMap((id) => this.find(stack, id)), ...this.targets(stack, [argument].flat()[1])];
      }
      if (name === 'Fn::ImportValue') {
        const found = this.exported.get(textOf(argument));
        return found ? this.targets(found.stack, found.value) : [];
      }
      return this.targets(stack, argument);
    });
  }

  target({ stack }: Resource, value: Value): Resource | undefined {
    return this.targets(stack, value)[0];
  }

  /** Everything created before a resource: it refers to it or names it in `DependsOn`, directly or indirectly. */
  before(resource: Resource): ReadonlySet<Resource> {
    const found = new Set<Resource>();
    const visit = (each: Resource): void => {
      for (const next of this.direct(each)) {
        if (found.has(next)) continue;
        found.add(next);
        visit(next);
      }
    };
    visit(resource);
    return found;
  }

  direct(resource: Resource): readonly Resource[] {
    const known = this.directly.get(resource) ?? this.findDirect(resource);
    this.directly.set(resource, known);
    return known;
  }

  private findDirect(resource: Resource): readonly Resource[] {
    const { stack, Properties, UpdatePolicy, DependsOn } = resource;
    return [
      ...this.targets(stack, [Properties, UpdatePolicy]),
      ...list(DependsOn).flatMap((id) => this.find(stack, id)),
    ];
  }

  /** A value with references named by stack, so that equal texts in two stacks are not taken for one resource. */
  identity(stack: string, value: Value): string {
    const found = this.targets(stack, value).map((each) => `${each.stack}/${each.id}`);
    return JSON.stringify([found.length > 0 ? found : null, found.length > 0 ? null : resolved(value)]);
  }

  private find(stack: string, id: string): readonly Resource[] {
    const found = this.byKey.get(`${stack}/${id}`);
    return found ? [found] : [];
  }
}

export interface Finding {
  readonly stack: string;
  /** The logical ID of a resource; none if the finding is about the template. */
  readonly id?: string;
  readonly says: string;
}

export const findingAbout = ({ stack, id }: Resource, says: string): Finding => ({ stack, id, says });

/** The value at a path of names joined by dots. */
export const valueAt = (value: Value, path: string): Value =>
  path.split('.').reduce((found, name) => found?.[name], value);

/** A refusal of AWS that shows in the templates alone, before anything is deployed. */
export interface TemplateRule {
  readonly name: string;
  /** Where AWS, or somebody it refused, says so. */
  readonly source: string;
  check(app: SynthesizedApp): readonly Finding[];
}

/** A refusal that depends on what is already deployed. */
export interface UpdateRule {
  readonly name: string;
  readonly source: string;
  check(deployed: SynthesizedApp, next: SynthesizedApp): readonly Finding[];
}

/** A rule about each resource of some types; `problem` returns what to change, or nothing. */
export const ruleFor = (
  name: string,
  source: string,
  types: string | readonly string[],
  problem: (resource: Resource, app: SynthesizedApp) => string | false | undefined,
): TemplateRule => ({
  name,
  source,
  check: (app) =>
    app.ofType(...[types].flat()).flatMap((resource) => {
      const says = problem(resource, app);
      return says ? [findingAbout(resource, says)] : [];
    }),
});
