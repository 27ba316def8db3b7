import { DEFAULT_SETTINGS, labelEndMs, settingsFaults } from '../../../shared/domain/accounts/account';

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
    [{ never_observed: ['a', 'a'] }, ['never_observed']],
    [{ never_observed: ['x'.repeat(65)] }, ['never_observed']],
    [{ never_observed: Array.from({ length: 51 }, (_, i) => `k${i}`) }, ['never_observed']],
    [{ challenge_threshold: 61 }, ['challenge_threshold']],
    [{ challenge_threshold: -1 }, ['challenge_threshold']],
    [{ label_window_days: 0 }, ['label_window_days']],
    [{ label_window_days: 551 }, ['label_window_days']],
    [{ label_window_days: 30.5 }, ['label_window_days']],
  ])('refuses %j', (change, fields) => {
    expect(faulty(change)).toEqual(fields);
  });

  it.each([
    { review_threshold: 101, block_threshold: 101 },
    { review_threshold: 0, block_threshold: 0 },
    { challenge_threshold: 60 },
    { challenge_threshold: 101 },
    { tracked_attributes: [] },
    { never_observed: ['birthday', 'loyalty'], label_window_days: 550 },
    { never_observed: [] },
  ])('accepts %j', (change) => {
    expect(faulty(change)).toEqual([]);
  });

  it('ends labels after 180 days, or as the account says', () => {
    const screened = { screened_at_ms: 1_000 };
    expect(labelEndMs({}, screened)).toBe(1_000 + 180 * 86_400_000);
    expect(labelEndMs({ label_window_days: 30 }, screened)).toBe(1_000 + 30 * 86_400_000);
  });
});
