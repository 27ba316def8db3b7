const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTHS = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const CLOCK = String.raw`\d\d:\d\d:\d\d`;

/** The three formats that RFC 9110 requires a recipient to accept. Date.parse alone would also take '1' for a year. */
const HTTP_DATES: readonly RegExp[] = [
  new RegExp(String.raw`^${DAYS}, \d\d ${MONTHS} \d{4} ${CLOCK} GMT$`),
  new RegExp(String.raw`^\w{6,9}, \d\d-${MONTHS}-\d\d ${CLOCK} GMT$`),
  new RegExp(String.raw`^${DAYS} ${MONTHS} [ \d]\d ${CLOCK} \d{4}$`),
];

/** How long a `Retry-After` asks to wait, counted from `nowMs`; undefined if it cannot be parsed. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  // Only the asctime format has no zone, and would be read in this machine's.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
