import { randomUUID } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../data-directory';
import { AwsError, type Input } from './call';

interface Version {
  readonly id: string;
  readonly stages: readonly string[];
  readonly createdAt: number;
  readonly SecretString?: string;
  readonly SecretBinary?: string;
}

interface Secret {
  readonly arn: string;
  readonly name: string;
  readonly versions: readonly Version[];
}

/** Secrets Manager with the few operations the product uses; secrets live in one file of the data directory. */
export interface SecretsManager {
  /** Creates the secret unless an earlier run already did. */
  provision(arn: string, name: string, initial: () => string): void;
  /** The ARN behind a secret id (name, ARN, or ARN without its suffix). */
  arnOf(secretId: string): string;
  answer(operation: string, input: Input): Input;
}

const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

function withStages(versions: readonly Version[], added: Version): readonly Version[] {
  const demoted = versions.map((version) => {
    const kept = version.stages.filter((stage) => !added.stages.includes(stage));
    if (!added.stages.includes(CURRENT)) return { ...version, stages: kept };
    const previous = version.stages.includes(CURRENT) ? [PREVIOUS] : [];
    return { ...version, stages: [...kept.filter((stage) => stage !== PREVIOUS), ...previous] };
  });
  return [...demoted.filter(({ id, stages }) => stages.length > 0 && id !== added.id), added];
}

export function secretsManager(file: string): SecretsManager {
  const secrets = new Map(readJsonFile<readonly Secret[]>(file, []).map((secret) => [secret.arn, secret]));
  const save = (secret: Secret): void => {
    secrets.set(secret.arn, secret);
    writeJsonFile(file, [...secrets.values()]);
  };

  const find = (id: string): Secret | undefined =>
    [...secrets.values()].find(({ arn, name }) => id === arn || id === name || id === arn.slice(0, -'-123456'.length));

  const wanted = (input: Input): Secret => {
    const secret = find(String(input.SecretId));
    if (!secret) throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return secret;
  };

  const get = (input: Input): Input => {
    const secret = wanted(input);
    const stage = input.VersionStage ?? (input.VersionId === undefined ? CURRENT : undefined);
    const version = secret.versions.find(
      ({ id, stages }) =>
        (input.VersionId === undefined || id === input.VersionId) &&
        (stage === undefined || stages.includes(String(stage))),
    );
    if (!version) {
      const what = `${stage === undefined ? 'VersionId' : 'staging label'}: ${String(stage ?? input.VersionId)}`;
      throw new AwsError(
        'ResourceNotFoundException',
        `Secrets Manager can't find the specified secret value for ${what}`,
      );
    }
    const { id, stages, createdAt, ...value } = version;
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: id,
      VersionStages: stages,
      CreatedDate: createdAt,
      ...value,
    };
  };

  const put = (input: Input): Input => {
    const secret = wanted(input);
    const stages = (input.VersionStages as readonly string[] | undefined) ?? [CURRENT];
    const version: Version = {
      id: String(input.ClientRequestToken ?? randomUUID()),
      stages,
      createdAt: Date.now() / 1000,
      ...(input.SecretString === undefined ? {} : { SecretString: String(input.SecretString) }),
      ...(input.SecretBinary === undefined ? {} : { SecretBinary: String(input.SecretBinary) }),
    };
    save({ ...secret, versions: withStages(secret.versions, version) });
    return { ARN: secret.arn, Name: secret.name, VersionId: version.id, VersionStages: stages };
  };

  const describe = (input: Input): Input => {
    const { arn, name, versions } = wanted(input);
    return {
      ARN: arn,
      Name: name,
      VersionIdsToStages: Object.fromEntries(versions.map(({ id, stages }) => [id, stages])),
    };
  };

  const operations: Readonly<Record<string, (input: Input) => Input>> = {
    GetSecretValue: get,
    PutSecretValue: put,
    DescribeSecret: describe,
  };

  return {
    provision: (arn, name, initial) => {
      if (secrets.has(arn)) return;
      const first = { id: randomUUID(), stages: [CURRENT], createdAt: Date.now() / 1000, SecretString: initial() };
      save({ arn, name, versions: [first] });
    },
    arnOf: (secretId) => find(secretId)?.arn ?? secretId,
    answer: (operation, input) => {
      const run = operations[operation];
      if (!run) throw new AwsError('InvalidRequestException', `${operation} is not emulated by the local run.`);
      return run(input);
    },
  };
}
