/** Numbers for people to read; a value that could not be computed is a dash. */
const format = (options: Intl.NumberFormatOptions) => {
  const formatter = new Intl.NumberFormat('en', options);
  return (value: number | null | undefined): string =>
    Number.isFinite(value) ? formatter.format(value as number) : '–';
};

export const count = format({ maximumFractionDigits: 0 });
export const threeDecimals = format({ minimumFractionDigits: 3, maximumFractionDigits: 3 });
export const percent = format({ style: 'percent', maximumFractionDigits: 1 });
export const dollars = format({ style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
export const signed = format({ minimumFractionDigits: 3, maximumFractionDigits: 3, signDisplay: 'exceptZero' });

/** A timestamp without its seconds; anything else is shown unchanged. */
export const minute = (iso: string): string => iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2 UTC');
