import { DEFAULT_SETTINGS, settingsFaults } from '../../../shared/domain/accounts/account';

const faulty = (change: object): string[] => settingsFaults({ ...DEFAULT_SETTINGS, ...change }).map((f) => f.field);

describe('account settings', () => {
  it('has defaults that may be saved', () => {
    expect(faulty({})).toEqual([]);
    expect(DEFAULT_SETTINGS).toMatchObject({ review_threshold: 60, block_threshold: 85 });
  });

  it.each([
    [{ review_threshold: 90 }, ['review_threshold']],
    [{ review_threshold: -1 }, ['review_threshold']],
    [{ block_threshold: 60.5 }, ['block_threshold']],
    [{ review_threshold: Number.NaN }, ['review_threshold']],
    [{ tracked_attributes: ['a', 'a'] }, ['tracked_attributes']],
    [{ tracked_attributes: [''] }, ['tracked_attributes']],
    [{ tracked_attributes: Array.from({ length: 13 }, (_, i) => `k${i}`) }, ['tracked_attributes']],
  ])('refuses %j', (change, fields) => {
    expect(faulty(change)).toEqual(fields);
  });

  it.each([
    { review_threshold: 101, block_threshold: 101 },
    { review_threshold: 0, block_threshold: 0 },
    { tracked_attributes: [] },
  ])('accepts %j', (change) => {
    expect(faulty(change)).toEqual([]);
  });
});
