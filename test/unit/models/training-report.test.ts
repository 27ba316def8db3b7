import { failures } from '../../../shared/usecases/models/training-report';

const check = (name: string, passed: boolean) => ({ name, wanted: 'more', found: 'less', passed });

it('names the conditions that were not met, with what was found', () => {
  const checks = [check('enough labels', false), check('not by chance', true), check('ranks no worse', false)];
  expect(failures({ passed: false, checks })).toBe(
    'enough labels: wanted more, found less; ranks no worse: wanted more, found less',
  );
});

it('is empty when all were met', () => {
  expect(failures({ passed: true, checks: [check('enough labels', true)] })).toBe('');
});
