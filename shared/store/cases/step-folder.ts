import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { CASE_CLASSES, type CaseClass } from '../../domain/cases/case-tally';
import type { ChangeRecord } from '../change-record';
import { accountOfPk } from '../keys';
import type { Table } from '../sdk/client';
import { type TransactItem, transact } from '../sdk/transact';
import { counterName } from './case-index';
import { FOLDS, TALLY_STEP, tallyTargets, tallyUpdate } from './tally-updates';

/** A change of a case that is noted outside the tallies. */
export interface TallyStep {
  readonly pk: string;
  readonly sk: string;
  readonly steps: Partial<Record<CaseClass, number>>;
}

export function readStep({ eventName, dynamodb }: ChangeRecord): TallyStep | undefined {
  const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
  if (eventName !== 'INSERT' || image?.entity?.S !== TALLY_STEP) return undefined;
  const { pk, sk, steps } = unmarshall(image);
  return { pk, sk, steps };
}

const MOST_ITEMS = 100;
const ULID_LENGTH = 26;
const shardOfPk = (pk: string): number => Number(pk.split('#')[2]);

const targetsOf = ({ pk, sk }: TallyStep) =>
  tallyTargets(accountOfPk(pk), shardOfPk(pk), sk.slice(0, ULID_LENGTH)).map((target) => ({
    ...target,
    name: `${target.key.pk} ${target.key.sk}`,
  }));

/** As many steps, from the first, as one transaction can fold: each is one item, and so is each tally. */
function firstGroup(steps: readonly TallyStep[]): readonly TallyStep[] {
  const tallies = new Set<string>();
  for (const [at, step] of steps.entries()) {
    for (const { name } of targetsOf(step)) tallies.add(name);
    if (at + 1 + tallies.size > MOST_ITEMS) return steps.slice(0, at);
  }
  return steps;
}

export function stepFolder(table: Table) {
  const deletes = (steps: readonly TallyStep[]): TransactItem[] =>
    steps.map(({ pk, sk }) => ({ Delete: { Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' } }));

  function additions(steps: readonly TallyStep[]): TransactItem[] {
    const sums = new Map<string, { target: ReturnType<typeof targetsOf>[number]; counters: Map<string, number> }>();
    for (const step of steps) {
      for (const target of targetsOf(step)) {
        const sum = sums.get(target.name) ?? { target, counters: new Map([[FOLDS, 1]]) };
        for (const caseClass of CASE_CLASSES) {
          const [name, count] = [counterName(caseClass, target.part), step.steps[caseClass] ?? 0];
          if (count !== 0) sum.counters.set(name, (sum.counters.get(name) ?? 0) + count);
        }
        sums.set(target.name, sum);
      }
    }
    return [...sums.values()].map(({ target: { key, dayMs }, counters }) => tallyUpdate(key, dayMs, [...counters]));
  }

  return {
    /** Moves the steps of one partition into its tallies, each exactly once: what is gone was folded before. */
    async fold(steps: readonly TallyStep[]): Promise<void> {
      for (let rest = steps; rest.length > 0; ) {
        const group = firstGroup(rest);
        const outcome = await transact(table, [...deletes(group), ...additions(group)]);
        if (outcome.committed) rest = rest.slice(group.length);
        else rest = rest.filter((_, at) => !outcome.failed.includes(at));
      }
    },
  };
}
