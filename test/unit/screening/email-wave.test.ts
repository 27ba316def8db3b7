import { memoryStore } from '../../../shared/store/memory/memory-store';
import { historyBuilder } from '../../../training/replay/history';
import { type ReplayedLine, replay } from '../../../training/replay/replay';
import { emailWave } from '../../support/traffic/email-wave';

const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

async function replayed(lines: ReturnType<typeof emailWave>): Promise<readonly ReplayedLine[]> {
  const builder = historyBuilder();
  lines.forEach((line, i) => {
    builder.add(i, line);
  });
  const told: ReplayedLine[] = [];
  await replay(builder.finish().lines(), { ips, store: memoryStore() }, (line) => told.push(line));
  return told;
}

const stopped = (lines: readonly ReplayedLine[]) => lines.filter(({ decision }) => decision !== 'allow').length;

describe('a wave of accounts with a device and a network each, under numbered email addresses', () => {
  it('is stopped from its third purchase on, without a label, and ordinary names are not', async () => {
    const told = await replayed(emailWave(60, 2));
    const purchases = told.filter(({ kind, label }) => kind === 'transaction' && label === 1);
    expect(purchases.length).toBeGreaterThan(19);
    expect(stopped(purchases)).toBe(purchases.length - 4);
    expect(stopped(told.filter(({ label }) => label === 0))).toBe(0);
    const late = told.filter(({ kind, label }) => kind === 'signup' && label === 1).slice(-3);
    for (const { signals } of late) expect(signals).toContain('new_account_burst');
  });

  it('is not what a shop makes that numbers its own guests, day after day', async () => {
    const guest = (i: number): ReturnType<typeof emailWave> => {
      // One every two hours, and four in the last one: no more than any day brings.
      const at = Date.UTC(2025, 0, 6) + (i < 120 ? i * 7_200_000 : 119 * 7_200_000 + (i - 119) * 600_000);
      const body = {
        user_id: `guest-${i}`,
        ip_address: `91.${i % 250}.7.1`,
        device_fingerprint: `device-${i}`,
        custom_attributes: { email: `guest${i}@shop.example` },
      };
      const line = (kind: string, t: number, more: object = {}) => ({
        ...{ t: new Date(t).toISOString(), kind, body: { ...body, ...more } },
        ...{ label: 0 as const, split: 'test' as const },
      });
      return [line('signup', at), line('transaction', at + 30_000, { amount: 30, currency: 'USD' })];
    };
    const told = await replayed(Array.from({ length: 124 }, (_, i) => i).flatMap(guest));
    expect(told.filter(({ signals }) => signals.includes('new_account_burst'))).toEqual([]);
  });
});
