import { type FoldStepsDeps, foldSteps } from '../../../shared/usecases/cases/fold-steps';

interface Step {
  readonly pk: string;
  readonly sk: string;
}

function world(fails = false) {
  const folded: Step[][] = [];
  const problems: string[] = [];
  const deps: FoldStepsDeps<Step | 'other' | 'spoilt', Step> = {
    readStep: (raw) => {
      if (raw === 'spoilt') throw new Error('not a step');
      return raw === 'other' ? undefined : raw;
    },
    steps: {
      fold: async (steps) => {
        if (fails) throw new Error('busy');
        folded.push([...steps]);
      },
    },
    report: (problem) => problems.push(problem),
  };
  return { deps, folded, problems };
}

const step = (pk: string, sk: string): Step => ({ pk, sk });

it('folds the steps of each partition together, in their order, and leaves other changes alone', async () => {
  const { deps, folded, problems } = world();
  const records = [step('a', '1'), 'other', step('b', '1'), step('a', '2')] as const;
  expect(await foldSteps(deps, records)).toBe(3);
  expect(folded).toEqual([[step('a', '1'), step('a', '2')], [step('b', '1')]]);
  expect(problems).toEqual([]);
});

it('reports a record that cannot be read, and folds the others', async () => {
  const { deps, folded, problems } = world();
  expect(await foldSteps(deps, ['spoilt', step('a', '1')])).toBe(1);
  expect([folded, problems]).toEqual([[[step('a', '1')]], ['a record of the stream cannot be read']]);
});

it('fails with the first fold that does, so that the stream hands the batch over again', async () => {
  await expect(foldSteps(world(true).deps, [step('a', '1')])).rejects.toThrow('busy');
});
