import type { StackTemplates } from '../stack-templates';
import { isVariable } from './api-gateway-rules';
import { IDENTITIES, nameOf, space } from './stack-rules';
import { findingAbout, type Resource, SynthesizedApp, type UpdateRule, type Value, valueAt } from './synthesized-app';

const DEPLOYMENT = 'AWS::ApiGateway::Deployment';
const DEPLOYED_WITH_API = ['Authorizer', 'GatewayResponse', 'Method', 'Resource', 'RestApi'].map(
  (name) => `AWS::ApiGateway::${name}`,
);
const RESOURCE = 'AWS::ApiGateway::Resource';
const TABLE = 'AWS::DynamoDB::GlobalTable';

/** Properties that CloudFormation changes by creating the new resource first, which collides with the existing one. */
const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  'AWS::Lambda::EventSourceMapping': ['StartingPosition', 'StartingPositionTimestamp'],
  'AWS::XRay::SamplingRule': ['SamplingRule.Version'],
  [TABLE]: ['KeySchema', 'LocalSecondaryIndexes'],
};

const key = ({ stack, id }: Resource): string => `${stack}/${id}`;
const same = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Each resource of a type that stays, before and after the update. */
function kept(
  deployed: SynthesizedApp,
  next: SynthesizedApp,
  ...types: readonly string[]
): readonly (readonly [Resource, Resource])[] {
  const before = new Map(deployed.ofType(...types).map((resource) => [key(resource), resource]));
  return next.ofType(...types).flatMap((after) => {
    const found = before.get(key(after));
    return found ? [[found, after] as const] : [];
  });
}

const indexesOf = ({ Properties }: Resource): ReadonlyMap<string, Value> =>
  new Map((Properties.GlobalSecondaryIndexes ?? []).map((index: Value) => [index.IndexName, index]));
const added = <T>(to: ReadonlyMap<string, T>, from: ReadonlyMap<string, T>): number =>
  [...to.keys()].filter((name) => !from.has(name)).length;

type Apps = readonly [deployed: SynthesizedApp, next: SynthesizedApp];

/** A rule about each resource of some types that stays; `problem` returns what to change, or nothing. */
const updateRule = (
  name: string,
  source: string,
  types: readonly string[],
  problem: (before: Resource, after: Resource, apps: Apps) => string | false | undefined,
): UpdateRule => ({
  name,
  source,
  check: (...apps) =>
    kept(...apps, ...types).flatMap(([before, after]) => {
      const says = problem(before, after, apps);
      return says ? [findingAbout(after, says)] : [];
    }),
});

const NAMES = 'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html';

export const updateRules: readonly UpdateRule[] = [
  updateRule(
    'deployment-follows-api',
    'https://github.com/aws/aws-cdk/issues/16554',
    [DEPLOYMENT],
    (_before, deployment, [deployed, next]) => {
      const api = next.target(deployment, deployment.Properties.RestApiId);
      const changed = kept(deployed, next, ...DEPLOYED_WITH_API).find(
        ([before, after]) =>
          (after === api || next.target(after, after.Properties.RestApiId) === api) &&
          !same(before.Properties, after.Properties),
      );
      return (
        changed && `${changed[1].id} changes and the stage keeps the old one. Give the deployment another logical ID.`
      );
    },
  ),
  updateRule('one-index-per-update', 'https://github.com/aws/aws-cdk/issues/12246', [TABLE], (before, after) => {
    const [old, now] = [indexesOf(before), indexesOf(after)];
    const changes = added(now, old) + added(old, now);
    return (
      changes > 1 && `${changes} indexes are added or removed. DynamoDB does one per update: deploy them one by one.`
    );
  }),
  updateRule(
    'index-stays-as-it-is',
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html',
    [TABLE],
    (before, after) => {
      const now = indexesOf(after);
      const changed = [...indexesOf(before)].find(([name, { KeySchema, Projection }]) => {
        const index = now.get(name);
        return index && !same([KeySchema, Projection], [index.KeySchema, index.Projection]);
      });
      return (
        changed &&
        `The key or projection of the index ${changed[0]} changes. Add an index of another name, then remove this one.`
      );
    },
  ),
  updateRule('replacement-collides', NAMES, Object.keys(REPLACED_BY), (before, after) => {
    const changed = REPLACED_BY[after.Type]?.find(
      (path) => !same(valueAt(before.Properties, path), valueAt(after.Properties, path)),
    );
    return (
      changed &&
      `${changed} changes, which replaces it while the old one is still there. Give it another logical ID and name.`
    );
  }),
  {
    name: 'name-is-free',
    source: NAMES,
    // A nested stack is another stack: a resource that moves into it is created there before it is deleted here.
    check: (...apps) => {
      const [deployed, next] = apps.map(({ templates }) => new SynthesizedApp(templates, (each) => each)) as [
        SynthesizedApp,
        SynthesizedApp,
      ];
      return IDENTITIES.flatMap(([type, ...paths]) => {
        const taken = new Map(
          deployed.ofType(type).flatMap((resource) => {
            const name = nameOf(deployed, resource, paths);
            return name === undefined ? [] : [[`${space(type)} ${name}`, resource] as const];
          }),
        );
        return next.ofType(type).flatMap((resource) => {
          const holder = taken.get(`${space(type)} ${nameOf(next, resource, paths)}`);
          if (!holder || key(holder) === key(resource)) return [];
          const kept = `${key(holder)} still has its ${paths.join(' and ')} when this one is made.`;
          return [findingAbout(resource, `${kept} Change the name, or keep stack and logical ID.`)];
        });
      });
    },
  },
  {
    name: 'path-parameter-keeps-its-name',
    source: 'https://github.com/serverless/serverless/issues/3075',
    check: (deployed, next) => {
      const before = deployed.ofType(RESOURCE).filter(isVariable);
      return next
        .ofType(RESOURCE)
        .filter(isVariable)
        .flatMap((resource) => {
          const parent = next.identity(resource.stack, resource.Properties.ParentId);
          const old = before.find(
            (each) => key(each) !== key(resource) && deployed.identity(each.stack, each.Properties.ParentId) === parent,
          );
          if (!old) return [];
          const parts = `${old.Properties.PathPart} is still there when ${resource.Properties.PathPart} is made.`;
          return [findingAbout(resource, `${parts} Keep its name, or remove it in a separate deployment.`)];
        });
    },
  },
];

/** Why AWS would refuse an update from these templates to those; nothing where nothing is deployed yet. */
export function updateRefusals(before: StackTemplates, after: StackTemplates): readonly string[] {
  if (Object.keys(before).length === 0) return [];
  const [deployed, next] = [new SynthesizedApp(before), new SynthesizedApp(after)];
  return updateRules.flatMap(({ check, source }) =>
    check(deployed, next).map(({ stack, id, says }) => `${stack}/${id}: ${says} (${source})`),
  );
}
