import { compilePolicyCondition, type PolicyCondition, wildcard } from './condition';

/** One statement of a policy document, as in its JSON. */
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

const list = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

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
