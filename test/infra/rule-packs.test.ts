import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../local/local-options';

const ROOT = join(__dirname, '../..');

describe('the rule packs', () => {
  it('are a gate: a bucket that nobody secured or acknowledged does not synthesize', async () => {
    const outdir = mkdtempSync(join(tmpdir(), 'rule-packs-'));
    // In a separate process, as every synthesis is: inside jest it takes three times as long.
    const careless = synthesize({ app: join(ROOT, 'test/support/careless-app.ts'), outdir, root: ROOT });
    await expect(careless).rejects.toThrow(/[Vv]alidation/);
    rmSync(outdir, { recursive: true, force: true });
  });
});
