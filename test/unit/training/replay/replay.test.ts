import { join } from 'node:path';
import { memoryStore } from '../../../../shared/store/memory/memory-store';
import { historyBuilder } from '../../../../training/replay/history';
import { type ReplayedLine, replay } from '../../../../training/replay/replay';
import { inAThread } from '../../../support/machine/in-a-thread';
import { patient } from '../../../support/patience';
import { sized } from '../../../support/sized';
import type { TrafficLine } from '../../../support/traffic/random-traffic';
import { terminalCards } from '../../../support/traffic/terminal-cards';
import type { MadeLine } from './replayed-lines';

jest.setTimeout(patient(150_000));

const DAY_MS = 86_400_000;
const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

const replayed = (lines: readonly MadeLine[], isLearning = false): Promise<ReplayedLine[]> =>
  inAThread(join(__dirname, 'replayed-lines.ts'), 'replayedLines', lines, isLearning);

describe('a replay', () => {
  const cards = terminalCards(50, 70, 50);

  it('tells one line each, in order, with all members', async () => {
    const told = await replayed(cards.slice(0, 300));
    expect(told.map(({ i }) => i)).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(told[7]).toEqual({
      i: 7,
      at_ms: Date.parse(cards[7]?.t ?? ''),
      kind: 'transaction',
      split: 'train',
      label: cards[7]?.label,
      risk_score: expect.any(Number),
      probability: expect.any(Number),
      decision: expect.stringMatching(/allow|review|block/),
      signals: expect.any(Array),
      model_version: 'rules-1',
    });
  });

  it('does not peek: labels that become known later change no earlier score, and do change later ones', async () => {
    // Enough of them that models take over on the way; more by `npm run test:soak`.
    const few = terminalCards(sized(20, 15), 40, 50);
    const honest = await replayed(few, true);
    const cutMs = Date.parse(few[Math.floor(few.length * 0.75)]?.t ?? '');
    const knownMs = ({ t }: TrafficLine) => Date.parse(t) + 7 * DAY_MS;
    const flipped = few.map((line) => (knownMs(line) > cutMs ? { ...line, label: (1 - line.label) as 0 | 1 } : line));
    const shifted = few.map((line) =>
      knownMs(line) > cutMs ? { ...line, label_t: new Date(knownMs(line) + 20 * DAY_MS).toISOString() } : line,
    );
    const said = ({ risk_score, probability, model_version }: ReplayedLine) => [risk_score, probability, model_version];
    expect(new Set(honest.map(({ model_version }) => model_version)).size).toBeGreaterThan(1);
    for (const other of [await replayed(flipped, true), await replayed(shifted, true)]) {
      const isEarlier = ({ at_ms }: ReplayedLine) => at_ms <= cutMs;
      expect(other.filter(isEarlier).map(said)).toEqual(honest.filter(isEarlier).map(said));
      const later = honest.filter((line) => !isEarlier(line)).map(said);
      expect(other.filter((line) => !isEarlier(line)).map(said)).not.toEqual(later);
    }
  });

  it('tells the labels that came after its last line only to whoever imports a history', async () => {
    const builder = historyBuilder();
    cards.slice(0, 100).forEach((line, i) => {
      builder.add(i, line);
    });
    const history = builder.finish();
    expect((await replay(history.lines(), { ips, store: memoryStore() }, () => undefined)).rows).toHaveLength(0);
    expect(
      (await replay(history.lines(), { ips, store: memoryStore(), isPast: true }, () => undefined)).rows,
    ).toHaveLength(100);
  });

  it('drops labels that come when their screening is gone', async () => {
    const late = cards.slice(0, 50).map((line) => ({ ...line, label_t: '2027-01-01T00:00:00Z' }));
    const last = { ...(cards[50] as TrafficLine), t: '2027-02-01T00:00:00Z' };
    const builder = historyBuilder();
    [...late, last].forEach((line, i) => {
      builder.add(i, line);
    });
    const { rows, late_labels } = await replay(
      builder.finish().lines(),
      { ips, store: memoryStore() },
      () => undefined,
    );
    expect([rows.length, late_labels]).toEqual([0, 50]);
  });
});
