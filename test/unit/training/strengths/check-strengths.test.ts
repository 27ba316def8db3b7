import { join } from 'node:path';
import { SIGNALS } from '../../../../shared/domain/screening/signals';
import { isOff, strengthText } from '../../../../training/strengths/strength-text';
import { outsideJest } from '../../../support/outside-jest';
import { patient } from '../../../support/patience';
import type { simulatedStrengths } from './simulated-strengths';

jest.setTimeout(patient(60_000));

type Checked = Awaited<ReturnType<typeof simulatedStrengths>>;

describe('the strengths of the signals, checked on a small simulation', () => {
  let checked: Checked;
  beforeAll(async () => {
    checked = await outsideJest(join(__dirname, 'simulated-strengths.ts'), 'simulatedStrengths', 150, 2026);
  });

  it('are compared one by one, and none is off', () => {
    const { asIs } = checked;
    expect(asIs.map(({ signal }) => signal)).toEqual(SIGNALS.map(({ name }) => name));
    expect(asIs.filter(isOff)).toEqual([]);
    expect(strengthText(asIs)).toContain('No strength is off by more than');
    const told = asIs.filter(({ verdict }) => verdict === 'right');
    expect(told.length).toBeGreaterThan(8);
    for (const { fitted, low, high } of told) {
      expect(low).toBeLessThanOrEqual(fitted);
      expect(fitted).toBeLessThanOrEqual(high);
    }
  });

  it('are off where the labels say the opposite', () => {
    const off = checked.turned.filter(isOff);
    expect(off.length).toBeGreaterThan(0);
    expect(strengthText(checked.turned)).toMatch(/Off by more than 3 log-odds: \w+/);
  });
});
