import { typedEntries } from '../../../console/src/text/typed-entries';

const NOW = Date.UTC(2026, 10, 16);

it('takes one value per line, and what applies to all of them', () => {
  expect(typedEntries({ text: ' ann \n\nbob\r\n', days: 7, reason: 'office' }, NOW)).toEqual([
    { value: 'ann', expires_at: '2026-11-23T00:00:00.000Z', reason: 'office' },
    { value: 'bob', expires_at: '2026-11-23T00:00:00.000Z', reason: 'office' },
  ]);
  expect(typedEntries({ text: 'ann', days: 0, reason: '' }, NOW)).toEqual([{ value: 'ann' }]);
  expect(typedEntries({ text: ' \n', days: 0, reason: '' }, NOW)).toEqual([]);
});
