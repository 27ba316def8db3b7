/** What an intrinsic may look up in its stack. */
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
  // An IAM statement has a member named Condition beside others; the intrinsic of that name stands alone with a string.
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
