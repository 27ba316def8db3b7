import { FRAUD, HONEST, type Story } from '../../../bench/support/stories';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { screen } from '../../../shared/domain/screening/screen';

const check = ({ facts, decisions, names, never = [], below = 101 }: Story): void => {
  const result = screen(facts, DEFAULT_SETTINGS);
  expect(decisions).toContain(result.decision);
  expect(result.signals).toEqual(expect.arrayContaining([...names]));
  for (const name of never) expect(result.signals).not.toContain(name);
  expect(result.risk_score).toBeLessThan(below);
  expect(result.failed_signals).toEqual([]);
  for (const { detail } of result.explanation.contributions) expect(detail).not.toMatch(/NaN|undefined|Infinity/);
};

describe('stories of fraud are stopped', () => {
  it.each(FRAUD.map((story) => [story.title, story] as const))('%s', (_, story) => check(story));
});

describe('stories of honest people are let through', () => {
  it.each(HONEST.map((story) => [story.title, story] as const))('%s', (_, story) => check(story));
});
