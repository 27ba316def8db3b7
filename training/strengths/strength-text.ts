import { textTable } from '../../bin/cli/text-table';
import { type CheckedStrength, STRENGTH_RULE } from './check-strengths';

const two = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '');

/** Every signal with its present and its fitted strength, for a terminal. */
export function strengthText(checked: readonly CheckedStrength[]): string {
  const off = checked.filter(isOff);
  return [
    textTable([
      ['SIGNAL', 'FIRED', 'FRAUD', 'PRESENT', 'FITTED', '95% INTERVAL', ''],
      ...checked.map(({ signal, fired, fraud, present, fitted, low, high, verdict }) => [
        signal,
        String(fired),
        String(fraud),
        fired === 0 ? '' : two(present),
        two(fitted),
        Number.isFinite(low) ? `${two(low)} to ${two(high)}` : '',
        verdict,
      ]),
    ]),
    '',
    off.length === 0
      ? `No strength is off by more than ${STRENGTH_RULE.tolerance} log-odds.`
      : `Off by more than ${STRENGTH_RULE.tolerance} log-odds: ${off.map(({ signal }) => signal).join(', ')}`,
  ].join('\n');
}

/** Whether a strength contradicts what was measured. */
export const isOff = ({ verdict }: CheckedStrength): boolean => verdict === 'too strong' || verdict === 'too weak';
