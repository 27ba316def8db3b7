/** Words for figures, so that every sentence of an explanation counts and rounds alike. */

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

/** `1 a day`, `3 a week`: a rate a person can picture. */
export function perDay(rate: number): string {
  if (rate >= 0.75) return `${Math.round(rate)} a day`;
  return rate * 7 >= 0.75 ? `${Math.round(rate * 7)} a week` : `${Math.max(1, Math.round(rate * 30))} a month`;
}

/** `12 %`, and one decimal below 10. */
export function percent(share: number): string {
  return `${share < 0.0995 ? Math.round(share * 1000) / 10 : Math.round(share * 100)} %`;
}

/** `1,200`: a comma before every three digits of the whole part. */
function grouped(amount: number): string {
  const [whole = '', ...decimals] = amount.toString().split('.');
  const head = whole.length % 3 || 3;
  const groups = [whole.slice(0, head)];
  for (let at = head; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
  return [groups.join(','), ...decimals].join('.');
}

/** `about 1,200 US dollars` from the logarithm: the rate is rough, so two figures will do. */
export function aboutDollars(lnUsd: number): string {
  const dollars = Number(Math.exp(lnUsd).toPrecision(2));
  return `about ${grouped(dollars)} US dollars`;
}

/** `4.2 times`, `30 times`. */
export function times(factor: number): string {
  return `${factor < 10 ? Math.round(factor * 10) / 10 : Math.round(factor)} times`;
}
