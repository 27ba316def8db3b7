import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { entityShelf } from '../../../../shared/store/memory/entity-shelf';
import type { LiveItem } from '../../../../shared/store/sdk/attribute-value';
import { type BadLine, readEventFile } from '../../../../training/replay/history';
import { labelFeed } from '../../../../training/replay/label-feed';
import { rowLog } from '../../../../training/replay/row-log';
import { trainingClock } from '../../../../training/replay/training-clock';
import { temporaryFolder } from '../../../support/temporary-folder';

const DAY_MS = 86_400_000;
const payment = (t: string, over: object = {}) => ({
  t,
  kind: 'transaction',
  body: { user_id: 'u', amount: 5, currency: 'EUR' },
  label: 0,
  split: 'train',
  ...over,
});

describe('a file', () => {
  const write = (name: string, bytes: string | Buffer) => {
    const file = join(temporaryFolder('history'), name);
    writeFileSync(file, bytes);
    return file;
  };
  const text = [
    JSON.stringify(payment('2026-01-03T00:00:00Z')),
    '{"t": broken',
    JSON.stringify(payment('2026-01-01T00:00:00Z')),
    '',
    JSON.stringify(payment('2026-01-02T00:00:00Z', { label: 7 })),
    JSON.stringify(payment('2026-01-01T00:00:00Z', { label: 1 })),
  ].join('\r\n');

  it.each([
    ['lines.jsonl', Buffer.from(text)],
    ['lines.jsonl.gz', gzipSync(text)],
  ])('%s is read in the order of time, and bad lines are told by their number', async (name, bytes) => {
    const bad: BadLine[] = [];
    const history = await readEventFile(write(name, bytes), (line) => bad.push(line));
    expect(history.length).toBe(3);
    expect([...history.lines()].map(([i, { label }]) => [i, label])).toEqual([
      [2, 0],
      [5, 1],
      [0, 0],
    ]);
    expect(bad).toEqual([
      { line: 2, reason: 'not a JSON object' },
      { line: 5, reason: expect.stringContaining('label') },
    ]);
  });

  it('that is not there is a fault and not an endless wait', async () => {
    await expect(readEventFile('/no/such/file.jsonl.gz', () => undefined)).rejects.toThrow('ENOENT');
  });
});

describe('what a replay keeps', () => {
  it('labels come in the order in which they become known', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.nat(60), (times, nowMs) => {
        const feed = labelFeed();
        times.forEach((known_at_ms, i) => {
          feed.add({ known_at_ms, ulid: String(i), label: 0 });
        });
        const taken: Array<readonly [number, number]> = [];
        for (let next = feed.take(nowMs); next; next = feed.take(nowMs))
          taken.push([next.known_at_ms, Number(next.ulid)]);
        const wanted = times.map((time, i) => [time, i] as const).filter(([time]) => time <= nowMs);
        expect(taken).toEqual(wanted.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
      }),
    );
  });

  it('entities come back as they were put away, until they expire', () => {
    const shelf = entityShelf();
    const many = 45_000;
    const item = (i: number): LiveItem =>
      new Map([
        ['n', { N: String(i) }],
        ['ttl', { N: '100' }],
      ]);
    for (let i = 0; i < many; i++) shelf.put(`e${i}`, item(i));
    expect(shelf.size).toBe(many);
    for (const i of [0, 20_000, many - 1]) expect(shelf.get(`e${i}`, 99_000)).toEqual(item(i));
    expect(shelf.get('e7', 100_000)).toBeUndefined();
    expect(shelf.get('nobody', 0)).toBeUndefined();
  });

  it('rows come back byte for byte', () => {
    const row = fc.record({
      vector: fc.uint8Array({ minLength: 1 }),
      observed: fc.option(fc.uint8Array({ minLength: 1 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (list) => {
        const log = rowLog();
        list.forEach(({ vector, observed }, i) => {
          log.add({ vector, ...(observed && { observed }), screened_at_ms: i }, i % 2 === 0 ? 1 : 0, i + 5);
        });
        expect(log.length).toBe(list.length);
        expect(log.fraud).toBe(Math.ceil(list.length / 2));
        const wanted = list.map(({ vector, observed }, i) => ({
          ...{ vector, observed, label: i % 2 === 0 ? 1 : 0, screened_at_ms: i, labeled_at_ms: i + 5 },
        }));
        expect(log.rows()).toEqual(wanted);
        expect(log.rows(7)).toEqual(wanted.slice(-7));
      }),
    );
  });
});

describe('when a replay trains', () => {
  const labels = (length: number, fraud = length / 10) => ({ length, fraud });

  it('is when there is enough by the rule of production, and again when labels grew by half, or in a month by a quarter', () => {
    const clock = trainingClock();
    expect(clock.isDue(labels(150), 0, false)).toBe(false);
    expect(clock.isDue(labels(399, 39), DAY_MS, false)).toBe(false);
    expect(clock.isDue(labels(400, 40), 2 * DAY_MS, false)).toBe(true);
    expect(clock.isDue(labels(599), 3 * DAY_MS, false)).toBe(false);
    expect(clock.isDue(labels(600), 4 * DAY_MS, false)).toBe(true);
    expect(clock.isDue(labels(899), 33 * DAY_MS, false)).toBe(false);
    expect(clock.isDue(labels(749), 34 * DAY_MS, false)).toBe(false);
    expect(clock.isDue(labels(750), 35 * DAY_MS, false)).toBe(true);
  });

  it('is right before the test, whatever was learnt lately, if there is anything new', () => {
    const clock = trainingClock();
    expect(clock.isDue(labels(500), 0, false)).toBe(true);
    expect(clock.isDue(labels(500), 1, true)).toBe(false);
    expect(clock.isDue(labels(501), 1, true)).toBe(true);
    expect(trainingClock().isDue(labels(100), 1, true)).toBe(false);
  });
});
