import replacing from './replacing-properties.json';
import { joinStacks, type StackTemplates, type Template, type TemplateResource } from './stack-templates';

/**
 * The properties whose change makes CloudFormation create a new resource and delete the old one ("Update requires:
 * Replacement" at https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/). A test compares this table with
 * the one that ships with the CDK command line, and fails when our templates have a type that is not in it. The functions
 * of Custom:: types decide; ours keep the files, unless the bucket is another one.
 */
export const REPLACING: Readonly<Record<string, readonly string[]>> = replacing;

/**
 * Resources that somebody would miss: data, messages, logs, addresses that are known outside, rate limits with the
 * accounts' keys in them, confirmed subscriptions, and the position of a reader of the stream.
 */
export const STATEFUL: ReadonlySet<string> = new Set(
  `AWS::ApiGateway::BasePathMapping AWS::ApiGateway::DomainName AWS::ApiGateway::RestApi AWS::ApiGateway::Stage
  AWS::ApiGateway::UsagePlan AWS::CloudFront::Distribution AWS::DynamoDB::GlobalTable AWS::KMS::Key
  AWS::Lambda::EventSourceMapping AWS::Logs::LogGroup AWS::S3::Bucket AWS::SNS::Subscription AWS::SNS::Topic
  AWS::SQS::Queue AWS::SecretsManager::Secret`.split(/\s+/),
);

/** `kept`: gone from the template, and left in the account because of its DeletionPolicy. */
export type ChangeKind = 'added' | 'changed' | 'replaced' | 'deleted' | 'kept';

export interface ResourceChange {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  readonly kind: ChangeKind;
  /** The properties that differ, or that refer to something that is replaced; for `replaced`, those that cause it. */
  readonly properties: readonly string[];
  readonly isStateful: boolean;
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));

/** With members in one order: CloudFormation does not care about theirs, nor does GetTemplate keep it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'Ref') yield String(member);
    else if (key === 'Fn::GetAtt') yield String((member as readonly unknown[])[0]);
    else yield* references(member);
  }
}

function differing(before: TemplateResource, after: TemplateResource, replaced: ReadonlySet<string>): string[] {
  const [old, now] = [before.Properties ?? {}, after.Properties ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.filter(
    (name) => !same(old[name], now[name]) || [...references(now[name])].some((each) => replaced.has(each)),
  );
}

/** For a type that is not in the table, every change may be a replacement: better warned than surprised. */
const causes = (type: string, properties: readonly string[]): readonly string[] =>
  properties.filter((name) => REPLACING[type]?.includes(name) ?? true);

/** The resources of all stacks, each called `<stack>/<logical ID>`, with references among stacks followed. */
const resourcesOf = (templates: StackTemplates): NonNullable<Template['Resources']> =>
  Object.keys(templates).length > 0 ? (joinStacks(templates, (path, id) => `${path}/${id}`).Resources ?? {}) : {};

/**
 * CloudFormation's changes when a stack, and those nested in it, go from one set of templates to another: in the order of
 * the stacks' resources, without those that stay as they are. No templates before means that nothing is deployed yet.
 */
export function templateChanges(before: StackTemplates, after: StackTemplates): readonly ResourceChange[] {
  const [old, now] = [resourcesOf(before), resourcesOf(after)];
  const both = Object.entries(now).flatMap(([name, resource]) => {
    const was = old[name];
    return was?.Type === resource.Type ? [{ name, was, resource }] : [];
  });
  // A resource that is replaced gets another name, so everything that refers to it changes as well, and may be replaced in turn.
  const replaced = new Set<string>();
  for (let count = -1; count < replaced.size; ) {
    count = replaced.size;
    for (const { name, was, resource } of both) {
      if (causes(resource.Type, differing(was, resource, replaced)).length > 0) replaced.add(name);
    }
  }
  const change = (name: string, type: string, kind: ChangeKind, properties: readonly string[] = []): ResourceChange => {
    const [stack, logicalId] = [name.slice(0, name.lastIndexOf('/')), name.slice(name.lastIndexOf('/') + 1)];
    return { stack, logicalId, type, kind, properties, isStateful: STATEFUL.has(type) };
  };
  const present = Object.entries(now).flatMap(([name, resource]): ResourceChange[] => {
    const was = old[name];
    if (was?.Type !== resource.Type) return [change(name, resource.Type, 'added')];
    const properties = differing(was, resource, replaced);
    if (replaced.has(name)) return [change(name, resource.Type, 'replaced', causes(resource.Type, properties))];
    return properties.length > 0 ? [change(name, resource.Type, 'changed', properties)] : [];
  });
  const gone = Object.entries(old).flatMap(([name, { Type, DeletionPolicy: policy = 'Delete' }]) =>
    now[name]?.Type === Type ? [] : [change(name, Type, policy.startsWith('Retain') ? 'kept' : 'deleted')],
  );
  return [...present, ...gone];
}
