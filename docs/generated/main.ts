import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesIn } from '../../bench/cost/stack-inventory';
import { synthesize } from '../../local/local-options';
import { readCommandLine, runCommand } from '../../shared/cli/command-line';
import { withSections } from '../../shared/cli/text-table';
import { COST_PAGE, GENERATED, idleSection } from './sections';

const ROOT = join(__dirname, '../..');

/** Rewrites a page where that changes anything, and says so. */
function update(page: string, sections: Readonly<Record<string, string>>): void {
  const file = join(ROOT, page);
  const before = readFileSync(file, 'utf8');
  const after = withSections(before, sections);
  if (after === before) return;
  writeFileSync(file, after);
  console.log(`${page} updated`);
}

const LINE = {
  usage: 'npm run sections',
  about: 'Updates the sections of documents that stand between <!-- name --> markers.',
  options: {},
  next: 'commit what changed.',
};

runCommand(async () => {
  if (!readCommandLine(LINE)) return;
  for (const [page, sections] of Object.entries(GENERATED)) update(page, sections());
  console.error('Counting the resources in the template (takes a few seconds)');
  const outdir = join(ROOT, '.local', 'sections-assembly');
  // Monitoring as each stage has it by default.
  await synthesize({ app: join(ROOT, 'bin', 'app.ts'), outdir, root: ROOT, context: { monitoring: '' } });
  for (const stage of ['sandbox', 'production']) {
    update(COST_PAGE, idleSection(stage, resourcesIn(outdir, `FraudScreening-${stage}`)));
  }
});
