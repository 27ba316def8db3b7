import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignalCounts } from '../engine/learn/signal-judgements';

/** A pair of finished files: rows, and what was observed of them. */
export interface ExportedPart {
  readonly month: string;
  /** Relative to the folder of the export. */
  readonly rows_file: string;
  readonly observed_file: string;
  readonly rows: number;
  readonly observed: number;
}

/** What an export counts of each account. */
export interface AccountCounts {
  readonly rows: number;
  readonly fraud: number;
}

/** Where the next row is: in the month and account at these positions, after a screening. */
export interface ExportPosition {
  readonly month: number;
  readonly account: number;
  readonly after: string | undefined;
}

/** How far an export has come: everything that it takes to continue after the last finished part. */
export interface ExportState {
  readonly stage: string;
  /** When it began: later labels are left out, so that a continued export equals one that was never interrupted. */
  readonly as_of_ms: number;
  readonly months: readonly string[];
  readonly accounts: readonly string[];
  readonly position: ExportPosition;
  readonly parts: readonly ExportedPart[];
  readonly held_labels: number;
  readonly counts: Readonly<Record<string, AccountCounts>>;
  readonly signals: SignalCounts;
}

const FILE = 'export-state.json';

/** The state of an export that was interrupted; undefined if there is none in the folder. */
export function readState(folder: string): ExportState | undefined {
  const file = join(folder, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ExportState) : undefined;
}

/** Replaces the state in one step: whatever interrupts it, either the old or the new one is there. */
export function writeState(folder: string, state: ExportState): void {
  const file = join(folder, FILE);
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}
