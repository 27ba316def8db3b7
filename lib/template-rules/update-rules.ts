import type { StackTemplates } from '../stack-templates';
import { IDENTITIES, nameOf, space } from './stack-rules';
import { type Finding, type Resource, SynthesizedApp, type UpdateRule, type Value } from './synthesized-app';

const DEPLOYMENT = 'AWS::ApiGateway::Deployment';
const DEPLOYED_WITH_API = ['Authorizer', 'GatewayResponse', 'Method', 'Resource', 'RestApi'].map(
  (name) => `AWS::ApiGateway::${name}`,
);
const RESOURCE = 'AWS::ApiGateway::Resource';
const TABLE = 'AWS::DynamoDB::GlobalTable';

/** Properties that CloudFormation changes by making another resource first, which collides with the one there is. */
const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  'AWS::Lambda::EventSourceMapping': ['StartingPosition', 'StartingPositionTimestamp'],
  'AWS::XRay::SamplingRule': ['SamplingRule.Version'],
  [TABLE]: ['KeySchema', 'LocalSecondaryIndexes'],
};

const key = ({ stack, id }: Resource): string => `${stack}/${id}`;
const at = (value: Value, path: string): Value => path.split('.').reduce((found, name) => found?.[name], value);
const same = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Each resource of a type that stays, as it is and as it will be. */
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

const finding = ({ stack, id }: Resource, says: string): Finding => ({ stack, id, says });
const indexesOf = ({ Properties }: Resource): ReadonlyMap<string, Value> =>
  new Map((Properties.GlobalSecondaryIndexes ?? []).map((index: Value) => [index.IndexName, index]));

export const updateRules: readonly UpdateRule[] = [
  {
    name: 'deployment-follows-api',
    source: 'https://github.com/aws/aws-cdk/issues/16554',
    check: (deployed, next) =>
      kept(deployed, next, DEPLOYMENT).flatMap(([, deployment]) => {
        const api = next.target(deployment, deployment.Properties.RestApiId);
        const changed = kept(deployed, next, ...DEPLOYED_WITH_API).find(
          ([before, after]) =>
            (after === api || next.target(after, after.Properties.RestApiId) === api) &&
            !same(before.Properties, after.Properties),
        );
        return changed
          ? [
              finding(
                deployment,
                `${changed[1].id} changes and the stage keeps the old one. Give the deployment another logical ID.`,
              ),
            ]
          : [];
      }),
  },
  {
    name: 'one-index-per-update',
    source: 'https://github.com/aws/aws-cdk/issues/12246',
    check: (deployed, next) =>
      kept(deployed, next, TABLE).flatMap(([before, after]) => {
        const [old, now] = [indexesOf(before), indexesOf(after)];
        const changes =
          [...now.keys()].filter((name) => !old.has(name)).length +
          [...old.keys()].filter((name) => !now.has(name)).length;
        return changes > 1
          ? [
              finding(
                after,
                `${changes} indexes are added or removed. DynamoDB does one per update: deploy them one by one.`,
              ),
            ]
          : [];
      }),
  },
  {
    name: 'index-stays-as-it-is',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html',
    check: (deployed, next) =>
      kept(deployed, next, TABLE).flatMap(([before, after]) => {
        const now = indexesOf(after);
        const changed = [...indexesOf(before)].find(([name, { KeySchema, Projection }]) => {
          const index = now.get(name);
          return index && !same([KeySchema, Projection], [index.KeySchema, index.Projection]);
        });
        return changed
          ? [
              finding(
                after,
                `The key or projection of the index ${changed[0]} changes. Add an index of another name, then remove this one.`,
              ),
            ]
          : [];
      }),
  },
  {
    name: 'replacement-collides',
    source: 'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html',
    check: (deployed, next) =>
      kept(deployed, next, ...Object.keys(REPLACED_BY)).flatMap(([before, after]) => {
        const changed = REPLACED_BY[after.Type]?.find(
          (path) => !same(at(before.Properties, path), at(after.Properties, path)),
        );
        return changed
          ? [
              finding(
                after,
                `${changed} changes, which replaces it while the old one is still there. Give it another logical ID and name.`,
              ),
            ]
          : [];
      }),
  },
  {
    name: 'name-is-free',
    source: 'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html',
    // A nested stack is another stack: what moves into it is made there before it is deleted here.
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
          return [
            finding(
              resource,
              `${key(holder)} still has its ${paths.join(' and ')} when this one is made. Change the name, or keep stack and logical ID.`,
            ),
          ];
        });
      });
    },
  },
  {
    name: 'path-parameter-keeps-its-name',
    source: 'https://github.com/serverless/serverless/issues/3075',
    check: (deployed, next) => {
      const isVariable = ({ Properties }: Resource): boolean => /^\{.*\}$/.test(Properties.PathPart);
      const before = deployed.ofType(RESOURCE).filter(isVariable);
      return next
        .ofType(RESOURCE)
        .filter(isVariable)
        .flatMap((resource) => {
          const parent = next.identity(resource.stack, resource.Properties.ParentId);
          const old = before.find(
            (each) => key(each) !== key(resource) && deployed.identity(each.stack, each.Properties.ParentId) === parent,
          );
          return old
            ? [
                finding(
                  resource,
                  `${old.Properties.PathPart} is still there when ${resource.Properties.PathPart} is made. Keep its name, or remove it in a deployment of its own.`,
                ),
              ]
            : [];
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
