const SPAN_MS = 5 * 60_000;
/** Two payments on one device are ordinary; from three on, they are probably one job. */
const LEAST = 3;

interface Groupable {
  readonly case_id: string;
  readonly device: string | null;
  readonly created_at: string;
}

/** Rows that belong together, in list order; a row by itself is a group of one. */
export type Group<Row> = readonly [Row, ...Row[]];

/**
 * Cases of one device, each within five minutes of the next, become one group at the place of its first. Rows come in
 * the order of the list, newest or oldest first.
 */
export function groupRows<Row extends Groupable>(rows: readonly Row[]): Group<Row>[] {
  const chains: Array<[Row, ...Row[]]> = [];
  const open = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const chain = row.device === null ? undefined : open.get(row.device);
    const last = chain?.at(-1);
    if (chain && last && Math.abs(Date.parse(last.created_at) - Date.parse(row.created_at)) <= SPAN_MS) {
      chain.push(row);
      continue;
    }
    const started: [Row, ...Row[]] = [row];
    chains.push(started);
    if (row.device !== null) open.set(row.device, started);
  }
  const positions = new Map(rows.map((row, at) => [row.case_id, at]));
  const placeOf = ([first]: Group<Row>): number => positions.get(first.case_id) ?? 0;
  return chains
    .flatMap((chain): Group<Row>[] => (chain.length >= LEAST ? [chain] : chain.map((row): Group<Row> => [row])))
    .sort((a, b) => placeOf(a) - placeOf(b));
}
