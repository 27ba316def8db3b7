/** Numbers in words, so that every sentence of an explanation counts and rounds the same way. */

/** `1 transaction`, `7 transactions`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  const rounded = Math.round(amount);
  return `${rounded} ${rounded === 1 ? singular : plural}`;
}

/** `45 seconds`, `12 minutes`, `5 hours`, `30 days`. */
export function duration(seconds: number): string {
  if (seconds < 90) return count(seconds, 'second');
  if (seconds < 5_400) return count(seconds / 60, 'minute');
  if (seconds < 172_800) return count(seconds / 3_600, 'hour');
  return count(seconds / 86_400, 'day');
}

/** `1 per day`, `3 per week`: a rate that people can picture. */
export function perDay(rate: number): string {
  if (rate >= 0.75) return `${Math.round(rate)} per day`;
  return rate * 7 >= 0.75 ? `${Math.round(rate * 7)} per week` : `${Math.max(1, Math.round(rate * 30))} per month`;
}

/** `12%`, and one decimal below 10. */
export function percent(share: number): string {
  return `${share < 0.0995 ? Math.round(share * 1000) / 10 : Math.round(share * 100)}%`;
}

function grouped(amount: number | string): string {
  const [whole = '', ...decimals] = amount.toString().split('.');
  const head = whole.length % 3 || 3;
  const groups = [whole.slice(0, head)];
  for (let at = head; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
  return [groups.join(','), ...decimals].join('.');
}

/** `about $1,200` from the logarithm: the rate is rough, so two digits are enough. */
export function aboutDollars(lnUsd: number): string {
  return `about $${grouped(Number(Math.exp(lnUsd).toPrecision(2)))}`;
}

const SYMBOLS: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', INR: '₹', JPY: '¥', USD: '$' };

/** `$1,200`, `€990 (about $1,200)`, `990 CHF (about $1,100)`; `990 DEM` if there is no rate. */
export function price({ amount, currency = '' }: { amount?: number; currency?: string }, lnUsd: number): string {
  if (amount === undefined) return aboutDollars(lnUsd);
  const whole = grouped(Number.isInteger(amount) ? amount : amount.toFixed(2));
  const symbol = SYMBOLS[currency];
  const own = symbol === undefined ? `${whole} ${currency}` : `${symbol}${whole}`;
  return currency === 'USD' || Number.isNaN(lnUsd) ? own : `${own} (${aboutDollars(lnUsd)})`;
}

/** `1st`, `2nd`, `3rd`, `11th`, `22nd`. */
export function ordinal(amount: number): string {
  const rounded = Math.round(amount);
  const isTeen = rounded % 100 >= 11 && rounded % 100 <= 13;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][rounded % 10] ?? 'th');
  return `${rounded}${ending}`;
}

/** `4.2 times`, `30 times`. */
export function times(factor: number): string {
  return `${factor < 10 ? Math.round(factor * 10) / 10 : Math.round(factor)} times`;
}
