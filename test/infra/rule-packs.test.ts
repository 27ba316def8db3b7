import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { fraudScreeningApp } from '../../lib/fraud-screening-app';

describe('the rule packs', () => {
  it('are a gate: a bucket that nobody secured or acknowledged does not synthesize', () => {
    const outdir = mkdtempSync(join(tmpdir(), 'rule-packs-'));
    const app = fraudScreeningApp({ outdir });
    new Bucket(new Stack(app, 'Careless'), 'Naked');
    expect(() => app.synth()).toThrow(/[Vv]alidation/);
    rmSync(outdir, { recursive: true });
  });
});
