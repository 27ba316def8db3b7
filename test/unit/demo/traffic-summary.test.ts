import { animation } from '../../../demo/animation/animation';
import { type ATTACKS, trafficCounts, trafficSummary } from '../../../demo/traffic-counts';

type Counts = ReturnType<typeof trafficCounts>;

function paid(counts: Counts, fraud: keyof typeof ATTACKS | undefined, decision: string, amount = 100): void {
  const contributions = [
    { signal: 'new_device', points: 10, detail: 'First use of this device' },
    { signal: 'shared_device', points: 40, detail: '14 users on this device' },
  ];
  const json = { decision, risk_score: 90, explanation: { base: 5, contributions } };
  const body = { amount, currency: 'USD' };
  const intent = { kind: 'screen-transaction' as const, account: 0, body, ...(fraud && { fraud }) };
  counts.onDone({ intent, status: 200, ms: 1, bytes: 1, text: '', json, replayed: false });
}

function failed(counts: Counts, status: number, code?: string): void {
  const intent = { kind: 'screen-transaction' as const, account: 0, body: {} };
  const json = code === undefined ? undefined : { error: { code } };
  counts.onDone({ intent, status, ms: 1, bytes: 1, text: '', json, replayed: false });
}

it('says what was stopped, what that saved, and how many honest customers noticed', () => {
  const counts = trafficCounts();
  paid(counts, 'device_farm', 'block', 1_500);
  paid(counts, 'account_takeover', 'review', 500);
  paid(counts, 'account_takeover', 'allow', 20);
  for (let times = 0; times < 18; times++) paid(counts, undefined, 'allow');
  paid(counts, undefined, 'review');
  paid(counts, undefined, 'block');
  expect(trafficSummary(counts, 125_000)).toEqual([
    'After 2:05: 23 screened, 19 allowed, 2 held, 2 blocked',
    '  Fraud stopped     2 of 3 payments: card testing 0/0, takeover 1/2, device farm 1/1, bot signups 0/0',
    '  Money             $2,000 kept from attackers, $20 lost',
    '  Honest customers  2 of 20 payments stopped (10.0%): 1 held for review, 1 blocked',
    '  Cases             0 open, 0 resolved; 0 webhooks verified',
    '  Last one stopped  takeover, $500, score 90: 14 users on this device',
    '  Failed requests   none',
  ]);
});

it('explains what failed', () => {
  const counts = trafficCounts();
  failed(counts, 503, 'unavailable');
  failed(counts, 503, 'unavailable');
  failed(counts, 0);
  failed(counts, 502);
  const lines = trafficSummary(counts, 0).slice(-3);
  expect(lines[0]).toMatch(/^ {2}Failed requests {3}2 × unavailable: .*stored nothing/);
  expect(lines[1]).toMatch(/^ {20}1 × no_answer: .*could not keep up/);
  expect(lines[2]).toMatch(/1 × status_502: see the function logs/);
});

describe('the animation', () => {
  const frames = Array.from({ length: 5 }, (_, at) => ({ lines: [`After ${at}`, '  Money             $1 < $2'] }));
  const picture = animation('npm run demo', frames);

  it('shows one frame after the other, and the last one where nothing moves', () => {
    expect(picture.match(/<g display="none">/g)).toHaveLength(4);
    expect(picture.match(/<g display="inline">/g)).toHaveLength(1);
    expect(picture.lastIndexOf('<g display="inline">')).toBeGreaterThan(picture.lastIndexOf('<g display="none">'));
    for (const [, times = '', values = ''] of picture.matchAll(/keyTimes="([^"]+)" values="([^"]+)"/g)) {
      expect(values.split(';')).toHaveLength(times.split(';').length);
      expect(times.startsWith('0.0000')).toBe(true);
    }
  });

  it('is text that a screen reader can read, without scripts or anything from outside', () => {
    expect(picture).toContain('aria-label="npm run demo: After 4.   Money             $1 &lt; $2"');
    expect(picture).not.toMatch(/<script|href=|url\(/);
  });
});
