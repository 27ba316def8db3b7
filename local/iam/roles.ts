import { StartError } from '../start-error';
import type { StackResource, Stacks } from '../template/resolve-stack';

/** One permission a call needs. `context` is computed only when a condition asks for it. */
export interface AccessRequest {
  readonly action: string;
  readonly resource: string;
  context?(): RequestContext;
}

export type AccessDecision = 'allowed' | 'explicitly denied' | 'not allowed';

const ALWAYS: RequestContext = {
  'aws:securetransport': ['true'],
};

/** IAM's rule: an explicit deny wins, otherwise some statement must allow. */
export function evaluate(statements: readonly Statement[], request: AccessRequest): AccessDecision {
  let context: RequestContext | undefined;
  let allowed = false;
  for (const statement of statements) {
    if (!statement.matchesAction(request.action) || !statement.matchesResource(request.resource)) continue;
    if (statement.condition) {
      context ??= { ...ALWAYS, ...request.context?.() };
      if (!statement.condition(context)) continue;
    }
    if (statement.effect === 'Deny') return 'explicitly denied';
    allowed = true;
  }
  return allowed ? 'allowed' : 'not allowed';
}

/** Evaluation with a cache: most statements have no condition, so the same call has the same result. */
export function evaluator(statements: readonly Statement[]): (request: AccessRequest) => AccessDecision {
  const remembered = new Map<string, AccessDecision>();
  const unconditional = statements.every(({ condition }) => condition === undefined);
  return (request) => {
    if (!unconditional) return evaluate(statements, request);
    const key = `${request.action} ${request.resource}`;
    const known = remembered.get(key);
    if (known) return known;
    const decision = evaluate(statements, request);
    // Object keys make resources unbounded, so the cache is limited.
    if (remembered.size < 10_000) remembered.set(key, decision);
    return decision;
  };
}

/** The request's condition keys with their values; a key that is absent from the request has no entry. */
export type RequestContext = Readonly<Record<string, readonly string[]>>;

export type PolicyCondition = (context: RequestContext) => boolean;

type Match = (actual: string, expected: string) => boolean;

const numeric =
  (compare: (left: number, right: number) => boolean): Match =>
  (actual, expected) =>
    compare(Number(actual), Number(expected));

const not =
  (match: Match): Match =>
  (actual, expected) =>
    !match(actual, expected);

const like: Match = (actual, expected) => wildcard(expected).test(actual);
const equal: Match = (actual, expected) => actual === expected;
const equalIgnoringCase: Match = (actual, expected) => actual.toLowerCase() === expected.toLowerCase();

const OPERATORS: Readonly<Record<string, Match>> = {
  StringEquals: equal,
  StringNotEquals: not(equal),
  StringEqualsIgnoreCase: equalIgnoringCase,
  StringNotEqualsIgnoreCase: not(equalIgnoringCase),
  StringLike: like,
  StringNotLike: not(like),
  ArnEquals: like,
  ArnLike: like,
  ArnNotEquals: not(like),
  ArnNotLike: not(like),
  Bool: equalIgnoringCase,
  NumericEquals: numeric((left, right) => left === right),
  NumericNotEquals: numeric((left, right) => left !== right),
  NumericLessThan: numeric((left, right) => left < right),
  NumericLessThanEquals: numeric((left, right) => left <= right),
  NumericGreaterThan: numeric((left, right) => left > right),
  NumericGreaterThanEquals: numeric((left, right) => left >= right),
};

/** The condition keys that the front fills in; the result of a policy with any other key would be a guess. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'dynamodb:leadingkeys',
  'dynamodb:attributes',
  'dynamodb:select',
  'dynamodb:returnvalues',
  'dynamodb:enclosingoperation',
  's3:prefix',
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:principalaccount',
  'aws:resourceaccount',
]);

/** Keys with several values: they are compared with a set operator only. */
const MULTIVALUED: ReadonlySet<string> = new Set(['dynamodb:leadingkeys', 'dynamodb:attributes']);

const isNegated = (operator: string): boolean => operator.includes('Not');

function compileOperator(name: string, key: string, expected: readonly string[]): PolicyCondition {
  const lowerKey = key.toLowerCase();
  if (!KNOWN_KEYS.has(lowerKey)) throw new Error(`the condition key ${key} is not emulated`);
  const [, quantifier, base = '', ifExists] = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(name) ?? [];
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
  if (MULTIVALUED.has(lowerKey) && !quantifier && base !== 'Null') {
    throw new Error(`${key} has several values, so ${name} needs ForAllValues: or ForAnyValue: before it`);
  }
  // `IfExists` holds without the key, `ForAnyValue` does not, and AWS does not say which of them wins.
  if (quantifier === 'ForAnyValue' && ifExists) throw new Error(`${name} contradicts itself where ${key} is absent`);
  if (base === 'Null') return (context) => String(context[lowerKey] === undefined) === expected[0];
  const match = OPERATORS[base];
  if (!match) throw new Error(`unknown condition operator ${name}`);
  // A negated operator must hold against every listed value, a positive one against any.
  const accepts = (actual: string): boolean =>
    isNegated(base) ? expected.every((value) => match(actual, value)) : expected.some((value) => match(actual, value));
  return (context) => {
    const actual = context[lowerKey];
    if (quantifier === 'ForAllValues') return (actual ?? []).every(accepts);
    if (actual === undefined) return ifExists !== undefined || (quantifier === undefined && isNegated(base));
    return quantifier === 'ForAnyValue' ? actual.some(accepts) : actual.length === 1 && accepts(actual[0] ?? '');
  };
}

const asStrings = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String);

/** A policy's condition block as one predicate (all operators and keys must hold); throws on unsupported conditions. */
export function compilePolicyCondition(
  block: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): PolicyCondition {
  const parts = Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => compileOperator(operator, key, asStrings(expected))),
  );
  return (context) => parts.every((holds) => holds(context));
}

/** IAM's wildcards: `*` any run of characters, `?` exactly one. */
export function wildcard(pattern: string, flags = ''): RegExp {
  const escaped = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${escaped}$`, `s${flags}`);
}

const union = (contexts: readonly RequestContext[]): RequestContext => {
  const merged = new Map<string, Set<string>>();
  for (const context of contexts) {
    for (const [key, values] of Object.entries(context)) {
      merged.set(key, new Set([...(merged.get(key) ?? []), ...values]));
    }
  }
  return Object.fromEntries([...merged].map(([key, values]) => [key, [...values]]));
};

/**
 * A call on several items can be authorized in two ways: item by item, or once per action with the keys of all its
 * items. AWS does not document which it does, so a policy must hold under both: this adds the second to the first.
 */
export function asAWhole(items: readonly AccessRequest[]): readonly AccessRequest[] {
  const alike = new Map<string, AccessRequest[]>();
  for (const item of items) {
    const key = `${item.action} ${item.resource}`;
    alike.set(key, [...(alike.get(key) ?? []), item]);
  }
  const wholes = [...alike.values()].flatMap((group): AccessRequest[] => {
    const [first] = group;
    if (!first || group.length < 2) return [];
    return [{ ...first, context: () => union(group.map((item) => item.context?.() ?? {})) }];
  });
  return [...items, ...wholes];
}

export interface StatementDocument {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action?: string | readonly string[];
  readonly NotAction?: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly NotResource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface PolicyDocument {
  readonly Statement: StatementDocument | readonly StatementDocument[];
}

/** A statement compiled for fast matching: the front evaluates it on every SDK call. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  matchesAction(action: string): boolean;
  matchesResource(resource: string): boolean;
  readonly condition: PolicyCondition | undefined;
}

const list = (value: string | readonly string[] | undefined): readonly string[] => [value ?? []].flat();

function matcher(
  patterns: string | readonly string[] | undefined,
  exceptions: string | readonly string[] | undefined,
  flags: string,
): (value: string) => boolean {
  const included = list(patterns).map((pattern) => wildcard(pattern, flags));
  const excluded = list(exceptions).map((pattern) => wildcard(pattern, flags));
  return exceptions === undefined
    ? (value) => included.some((pattern) => pattern.test(value))
    : (value) => !excluded.some((pattern) => pattern.test(value));
}

/** Compiles a policy document; throws if it has a condition that the local run cannot evaluate. */
export function compilePolicy(document: PolicyDocument): readonly Statement[] {
  const statements = Array.isArray(document.Statement)
    ? (document.Statement as readonly StatementDocument[])
    : [document.Statement as StatementDocument];
  return statements.map((statement) => ({
    effect: statement.Effect,
    matchesAction: matcher(statement.Action, statement.NotAction, 'i'),
    matchesResource: matcher(statement.Resource, statement.NotResource, ''),
    condition: statement.Condition ? compilePolicyCondition(statement.Condition) : undefined,
  }));
}

/** CDK's own functions, which run only during a deployment. */
export const ADMINISTRATIVE = /^Custom(?:CDKBucketDeployment|S3AutoDeleteObjects)/;

export type Roles = ReadonlyMap<string, (request: AccessRequest) => AccessDecision>;

interface RoleProperties {
  readonly ManagedPolicyArns?: readonly string[];
  readonly Policies?: readonly { readonly PolicyDocument: PolicyDocument }[];
}

interface PolicyProperties {
  readonly Roles?: readonly string[];
  readonly PolicyDocument: PolicyDocument;
}

const allow = (...actions: readonly string[]): PolicyDocument => ({
  Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }],
});

const MANAGED: ReadonlyArray<readonly [RegExp, PolicyDocument]> = [
  [/AWSLambda\w+ExecutionRole$/, allow('logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents')],
];

/** AWS's own policies that grant logs and deployments only. */
const HARMLESS =
  /:aws:policy\/(?:service-role\/AWSLambda(?:BasicExecution|VPCAccessExecution)Role|service-role\/AmazonAPIGatewayPushToCloudWatchLogs|service-role\/AWSCodeDeployRoleForLambdaLimited|CloudWatchLambda\w+)$/;

function compile(resource: StackResource, document: PolicyDocument): readonly Statement[] {
  try {
    return compilePolicy(document);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${resource.logicalId} (${resource.type}) cannot be enforced here: ${reason}.`);
  }
}

export function rolesOf(stacks: Stacks): Roles {
  const attached = new Map<string, Statement[]>();
  const managed = new Set<string>();
  for (const policy of stacks.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')) {
    const { Roles: names = [], PolicyDocument: document } = policy.properties as unknown as PolicyProperties;
    const statements = compile(policy, document);
    managed.add(policy.ref);
    for (const name of names) attached.set(name, [...(attached.get(name) ?? []), ...statements]);
  }
  return new Map(
    stacks.ofType('AWS::IAM::Role').map((role) => {
      const { ManagedPolicyArns: arns = [], Policies: inline = [] } = role.properties as RoleProperties;
      const unknown = arns.find((arn) => !HARMLESS.test(arn) && !managed.has(arn));
      if (unknown) {
        throw new StartError(`${role.logicalId} (${role.type}) uses ${unknown}, whose text is not in the template.`);
      }
      const own = inline.flatMap(({ PolicyDocument: document }) => compile(role, document));
      const known = arns.flatMap((arn) =>
        MANAGED.flatMap(([name, document]) => (name.test(arn) ? compilePolicy(document) : [])),
      );
      return [role.attribute('Arn'), evaluator([...own, ...known, ...(attached.get(role.ref) ?? [])])];
    }),
  );
}
