import { exportRows } from '../../training/export/export-rows';
import { ACCOUNT, NOW_MS, SIMULATED_LABELS, simulatedPages } from './simulated-labels';

/** What the process that exports sends: after each part, and at its end. */
export interface ExportProgress {
  readonly rows: number;
  readonly has_ended: boolean;
  readonly was_continued: boolean;
  readonly cpu_s: number;
  /** Memory when a tenth of the rows was written, and at most. */
  readonly tenth_bytes: number;
  readonly peak_bytes: number;
}

let tenth_bytes = 0;
let peak_bytes = 0;

function send(rows: number, end?: { readonly wasContinued: boolean }): void {
  const { user, system } = process.cpuUsage();
  const memory = { tenth_bytes, peak_bytes };
  const progress: ExportProgress = {
    ...{ rows, has_ended: end !== undefined, was_continued: end?.wasContinued === true },
    ...{ cpu_s: (user + system) / 1e6, ...memory },
  };
  process.send?.(progress);
}

async function run(folder: string): Promise<void> {
  const end = await exportRows(
    {
      stage: 'sandbox',
      clock: { now: () => NOW_MS },
      labels: { accounts: async () => [ACCOUNT], pagesInMonth: simulatedPages },
      reviews: [],
      parent: undefined,
      onPart: (rows) => {
        peak_bytes = Math.max(peak_bytes, process.memoryUsage().rss);
        if (rows <= SIMULATED_LABELS / 10) tenth_bytes = peak_bytes;
        send(rows);
      },
    },
    folder,
  );
  send(end.rows, end);
}

void run(process.argv[2] ?? '');
