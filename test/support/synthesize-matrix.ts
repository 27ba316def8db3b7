import { join } from 'node:path';
import { takeBuiltFunctions } from '../../lib/bundling/bundle-functions';
import { fraudScreeningApp } from '../../lib/fraud-screening-app';
import { readJsonFile } from '../../local/data-directory';

/** A synthesis to make: where it goes, and the values of `-c name=value`. */
export interface SynthesisOrder {
  readonly outdir: string;
  readonly context: Readonly<Record<string, string>>;
}

// One process for all of them: loading CDK takes longer than a synthesis. Their options change no function's code, which
// synthesize-once.ts has built.
takeBuiltFunctions();
const [, , orders = '[]'] = process.argv;
const { context: usual } = readJsonFile<{ context: object }>(join(__dirname, '../../cdk.json'), { context: {} });
for (const { outdir, context } of JSON.parse(orders) as SynthesisOrder[]) {
  fraudScreeningApp({ outdir, context: { ...usual, ...context } }).synth();
}
