import type { Outcome } from '../outcome';

const count = (value: number): string => value.toLocaleString('en-US');

/** Days in the unit that a person would use. */
export function duration(days: number): string {
  if (days * 24 * 60 < 1) return 'at once';
  if (days * 24 < 1) return `${Math.round(days * 24 * 60)} min`;
  if (days < 2) return `${(days * 24).toFixed(1)} h`;
  return `${days.toFixed(1)} days`;
}

export const firstAllowText = ({ first_allow, aim }: Outcome): string => {
  if (first_allow) return `${first_allow.attempts}, ${duration(first_allow.days)}`;
  return aim === 'people' ? '–' : 'never';
};

/** Amounts that would not fit a column are written as a power of ten. */
export const moneyText = (money: number): string =>
  money >= 1e7 ? `10^${Math.round(Math.log10(money))}` : count(money);

export const prizesText = ({ prizes, aim }: Outcome): string =>
  aim === 'people' ? '–' : `${prizes.allowed} of ${prizes.tried}`;

export const hurtText = ({ hurt, aimed_at }: Outcome): string =>
  aimed_at === 0 ? String(hurt) : `${hurt} of ${aimed_at}`;
