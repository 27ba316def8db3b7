import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { rowOfLabel } from '../../../../shared/domain/models/training-row';
import { entityShelf } from '../../../../shared/store/memory/entity-shelf';
import type { LiveItem } from '../../../../shared/store/sdk/attribute-value';
import { type BadLine, readEventFile } from '../../../../training/replay/history';
import { labelFeed } from '../../../../training/replay/label-feed';
import { rowLog } from '../../../../training/replay/row-log';
import { temporaryFolder } from '../../../support/machine/temporary-folder';

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
          feed.add({ known_at_ms, ulid: String(i), account_id: 'acc_1', label: 0 });
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
          const given = { account_id: 'acc_1', label: i % 2 === 0 ? 1 : 0, known_at_ms: i + 5, end_ms: 7_000 } as const;
          log.add({ ulid: `${i}`, vector, ...(observed && { observed }), screened_at_ms: i }, given);
        });
        expect([log.length, log.fraud]).toEqual([list.length, Math.ceil(list.length / 2)]);
        const wanted = list.map(({ vector, observed }, i) => ({
          ...{ vector, observed, label: i % 2 === 0 ? 1 : 0, screened_at_ms: i, labeled_at_ms: i + 5 },
        }));
        expect(log.rows()).toEqual(wanted);
        const stored = log.storedInMonth('acc_1', '1970-01').map(rowOfLabel);
        expect(stored).toEqual(wanted);
        expect([log.storedInMonth('acc_1', '1970-02'), log.storedInMonth('acc_2', '1970-01')]).toEqual([[], []]);
      }),
    );
  });

  it('what was presumed is replaced by a label', () => {
    const log = rowLog();
    const screened = { ulid: 'a', vector: Uint8Array.of(1), screened_at_ms: 1 };
    const given = { account_id: 'acc_1', label: 0, known_at_ms: 1, end_ms: 9_000 } as const;
    log.add(screened, { ...given, isSample: true });
    expect(log.storedInMonth('acc_1', '1970-01').map(({ source }) => source)).toEqual(['sample']);
    expect([log.length, log.rows()]).toEqual([0, []]);
    log.add(screened, { ...given, label: 1 });
    expect(log.storedInMonth('acc_1', '1970-01')).toEqual([
      expect.objectContaining({ label: 'fraud', source: 'decision_review', ttl: 9 }),
    ]);
  });
});
