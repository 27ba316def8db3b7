import { generatedHistory, HISTORY_CASES, type HistoryCaseName } from '../../../support/histories/generated-history';

it.each(Object.keys(HISTORY_CASES) as HistoryCaseName[])(
  '%s: is about as large as asked, and the same again',
  (name) => {
    const lines = generatedHistory(name, 2_000);
    expect(Math.abs(lines.length - 2_000)).toBeLessThan(250);
    expect(generatedHistory(name, 2_000)).toEqual(lines);
    expect(lines.some(({ label, split }) => label === 1 && split === 'test')).toBe(true);
    expect(new Set(lines.map(({ account }) => account))).toEqual(new Set(Object.keys(HISTORY_CASES[name].accounts)));
    const times = lines.map(({ t }) => t);
    expect([...times].sort()).toEqual(times);
  },
);
