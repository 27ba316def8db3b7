/** A number in short form: three digits, thousands as k, no needless decimals. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${trim(value / 1e6, 3)} M`;
  if (size >= 10_000) return `${trim(value / 1e3, 3)} k`;
  if (size >= 1_000) return Math.round(value).toLocaleString('en-US');
  if (size >= 100) return trim(value, 4);
  if (size >= 1) return trim(value, 3);
  return size === 0 ? '0' : trim(value, 2);
}

const trim = (value: number, digits: number): string => {
  const text = value.toPrecision(digits);
  return text.includes('e') ? Number(text).toExponential() : String(Number(text));
};

/** `14:05`, and with seconds where minutes do not tell points apart; UTC, as CloudWatch's default. */
export const clockTime = (ms: number, withSeconds = false): string =>
  new Date(ms).toISOString().slice(11, withSeconds ? 19 : 16);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for HTML and SVG. */
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
