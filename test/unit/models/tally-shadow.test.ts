import { shadowTally, type TallyShadowDeps } from '../../../shared/usecases/models/tally-shadow';
import { memoryShadowTallies } from '../../support/memory/memory-shadow-tallies';
import { screened } from '../../support/webhooks/changes';

const START_MS = Date.UTC(2026, 2, 1);
type Decision = 'allow' | 'review' | 'block';

function world(over: Partial<TallyShadowDeps['tallies']> = {}) {
  const tallies = memoryShadowTallies();
  let nowMs = START_MS;
  const tally = shadowTally({ clock: { now: () => nowMs }, tallies: { ...tallies, ...over } });
  return {
    ...{ tallies, tally },
    pass: (ms: number): void => {
      nowMs += ms;
    },
    count: (decision: Decision, shadow?: { version: string; decision: Decision | null }) =>
      tally.count({
        record: screened(START_MS, { automated_decision: decision }),
        probability: 0,
        failed_signals: [],
        shadow: shadow && { ...shadow, risk_score: shadow.decision === null ? null : 50 },
      }),
  };
}

it('counts what the shadow and the champion would have stopped, and how often the shadow was silent', async () => {
  const { tally, tallies, count } = world();
  count('block', { version: 'm2', decision: 'allow' });
  count('allow', { version: 'm2', decision: 'review' });
  count('review', { version: 'm2', decision: null });
  count('allow');
  tally.write();
  expect(await tallies.find('m2')).toEqual({ screened: 3, silent: 1, champion_stopped: 2, shadow_stopped: 1 });
});

it('writes once every half minute, and nothing while nothing was counted', async () => {
  const { tally, tallies, count, pass } = world();
  tally.write();
  for (let i = 0; i < 5; i++) {
    count('allow', { version: 'm2', decision: 'allow' });
    tally.write();
  }
  expect((await tallies.find('m2')).screened).toBe(1);
  pass(29_999);
  tally.write();
  expect((await tallies.find('m2')).screened).toBe(1);
  pass(1);
  tally.write();
  expect((await tallies.find('m2')).screened).toBe(5);
});

it('does not count for a new shadow what another did', async () => {
  const { tally, tallies, count } = world();
  count('allow', { version: 'm2', decision: 'block' });
  count('allow', { version: 'm3', decision: 'allow' });
  tally.write();
  expect(await tallies.find('m3')).toMatchObject({ screened: 1, shadow_stopped: 0 });
  expect(await tallies.find('m2')).toMatchObject({ screened: 0 });
});

it('loses what could not be written, and fails nobody', async () => {
  const { tally, tallies, count, pass } = world({ add: () => Promise.reject(new Error('throttled')) });
  count('allow', { version: 'm2', decision: 'allow' });
  expect(() => tally.write()).not.toThrow();
  await new Promise(setImmediate);
  pass(30_000);
  tally.write();
  expect((await tallies.find('m2')).screened).toBe(0);
});
