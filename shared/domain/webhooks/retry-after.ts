const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTHS = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const CLOCK = String.raw`\d\d:\d\d:\d\d`;

/** The three forms that RFC 9110 asks a recipient to read. Date.parse alone would also take '1' for a year. */
const HTTP_DATES: readonly RegExp[] = [
  new RegExp(String.raw`^${DAYS}, \d\d ${MONTHS} \d{4} ${CLOCK} GMT$`),
  new RegExp(String.raw`^\w{6,9}, \d\d-${MONTHS}-\d\d ${CLOCK} GMT$`),
  new RegExp(String.raw`^${DAYS} ${MONTHS} [ \d]\d ${CLOCK} \d{4}$`),
];

/** How long a `Retry-After` asks to wait, from `nowMs` on; undefined when it says nothing that can be read. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  // Only the asctime form leaves out the zone, and would be read as this machine's.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
