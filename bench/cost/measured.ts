import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured } from './monthly-bill';

/** Written by `npm run load -- --save`. */
export const MEASURED_FILE = join(__dirname, 'measured.json');

const file = JSON.parse(readFileSync(MEASURED_FILE, 'utf8')) as {
  readonly measured: string;
  readonly quantities: Measured;
};

/** The resources that one operation uses, as last measured. */
export const measured: Measured = file.quantities;
export const measuredWhen: string = file.measured;
