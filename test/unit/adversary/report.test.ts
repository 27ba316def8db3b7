import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunResult } from '../../../bench/adversary/play/outcome';
import { duration, moneyText, successOf } from '../../../bench/adversary/report/cells';
import { firstAndLatest, keptRun } from '../../../bench/adversary/report/history';
import { picture } from '../../../bench/adversary/report/picture';
import { readHistory, reportFiles, withHistory, writeReport } from '../../../bench/adversary/report/write-report';
import { STRATEGIES } from '../../../bench/adversary/strategies';

const PAGE = join(__dirname, '../../../docs/adversary.md');
const FACTS = { date: '2026-11-16', commit: 'abc1234', version: '0.1.0', played: 'in process', seed: 1 };

const result = (moneyOut: number): RunResult => ({
  honest: { people: 3, attempts: 200, stopped: 1, people_stopped: 1, by_kind: {} },
  outcomes: [
    {
      strategy: 'retry',
      aim: 'money',
      attempts: 10,
      first_allow: moneyOut > 0 ? { attempts: 2, days: 0.0013888 } : null,
      prizes: { tried: 10, allowed: moneyOut > 0 ? 1 : 0 },
      money_out: moneyOut,
      hurt: 0,
      aimed_at: 1,
      shift: null,
      scores: { first: 71, lowest: 20 },
    },
  ],
});

describe('docs/adversary.md', () => {
  const files = reportFiles(PAGE);
  const history = readHistory(files.history);

  it('has the tables and the picture that its history gives', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(history.length).toBeGreaterThan(0);
    expect(withHistory(page, history, STRATEGIES)).toBe(page);
    expect(readFileSync(files.picture, 'utf8')).toBe(picture(history, STRATEGIES));
  });

  it('has measured every strategy', () => {
    expect(STRATEGIES.filter(({ name }) => !firstAndLatest(history, name)).map(({ name }) => name)).toEqual([]);
  });
});

describe('a report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adversary-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('begins where there is none, and keeps every run', () => {
    const page = join(folder, 'report.md');
    writeReport(page, keptRun(result(900), FACTS), STRATEGIES);
    writeReport(page, keptRun(result(0), { ...FACTS, commit: 'def5678' }), STRATEGIES);
    const text = readFileSync(page, 'utf8');
    expect(text).toContain('| `retry` | 2, 2 min → never | 1 of 10 → 0 of 10 | 900 → 0 | 0 of 1 |');
    expect(text).toMatch(/abc1234.*\| 1 of 1 \| 1 \|\n.*def5678.*\| 0 of 1 \| 1 \|/);
    expect(readHistory(reportFiles(page).history).map(({ commit }) => commit)).toEqual(['abc1234', 'def5678']);
    const drawn = readFileSync(reportFiles(page).picture, 'utf8');
    expect(drawn.match(/class="first"/g)).toHaveLength(1);
    expect(drawn).toContain('never allowed');
  });
});

it('texts are short', () => {
  expect([0, 0.01, 0.5, 3].map(duration)).toEqual(['at once', '14 min', '12.0 h', '3.0 days']);
  expect([0, 900, 1_800, 1e12].map(moneyText)).toEqual(['0', '900', '1,800', '10^12']);
});

it('success is the share of what the attacker wanted', () => {
  const [outcome] = Object.values(keptRun(result(450), FACTS).strategies);
  const wanting = (money: number) => ({ budget: { attempts: 10, days: 1, money } });
  expect(successOf(wanting(900), outcome!)).toBe(0.5);
  expect(successOf(wanting(0), outcome!)).toBe(0.1);
  expect(successOf(wanting(0), { ...outcome!, aim: 'people', hurt: 3, aimed_at: 4 })).toBe(0.75);
});
