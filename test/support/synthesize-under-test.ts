import { fraudScreeningApp } from '../../lib/fraud-screening-app';
import { TEST_BUS, withBus } from './synthesize-once';

// One process for both: loading CDK and bundling the functions takes longer than a synthesis.
fraudScreeningApp().synth();

// CloudFormation's own checks have seen the first one.
process.env.CDK_VALIDATION = 'false';
const { CDK_OUTDIR: outdir = '', CDK_CONTEXT_JSON: context = '{}' } = process.env;
fraudScreeningApp({
  outdir: withBus(outdir),
  postCliContext: { ...JSON.parse(context), sandboxEventBus: TEST_BUS, warehouse: 'on' },
}).synth();
