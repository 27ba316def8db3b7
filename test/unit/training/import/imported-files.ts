import { basename } from 'node:path';
import { writeSampleFiles } from '../../../../training/afd/sample-files';
import { importHistory } from '../../../../training/import/import-history';

/** The output of an import of a file, remarks first. */
export interface PrintedImport {
  readonly file: string;
  readonly remarks: string;
  readonly result: string;
}

/** Writes the sample files and imports each of them; the directory holds the IP table. */
export async function importSampleFiles(directory: string): Promise<PrintedImport[]> {
  const printed: PrintedImport[] = [];
  for (const file of writeSampleFiles(directory)) {
    const remarks: string[] = [];
    const tell = (text: string) => remarks.push(text);
    const order = { file, out: `${directory}/candidates` };
    const result = await importHistory(order, { directory, nowMs: Date.UTC(2026, 0, 1), tell });
    printed.push({ file: basename(file), remarks: remarks.join('\n'), result });
  }
  return printed;
}
