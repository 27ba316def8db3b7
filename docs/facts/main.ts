import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesIn } from '../../bench/cost/stack-inventory';
import { synthesize } from '../../local/synthesize';
import { readCommandLine, runCommand } from '../../shared/cli/command-line';
import { codeFacts } from './code-facts';
import { type Fact, pagesOf, withFacts } from './fact';
import { packageFacts } from './package-facts';
import { RETENTION_PAGE, withRetention } from './retention-table';
import { ruleFacts } from './rule-facts';
import { RULE_NAMES_PAGE, withRuleNames } from './rule-name-tables';
import { SCORE_PAGE, withTables } from './score-tables';
import { sandboxFacts, templateFacts } from './template-facts';

const ROOT = join(__dirname, '../..');
const STACK = 'FraudScreening-production';

/** Rewrites a page where that changes anything, and says so. */
function update(page: string, change: (text: string) => string): void {
  const file = join(ROOT, page);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) return;
  writeFileSync(file, after);
  console.log(`${page} updated`);
}

const LINE = {
  usage: 'npm run facts',
  about: 'Updates the numbers and tables in documents that the code knows.',
  options: {},
  next: 'commit what changed.',
};

// The documents are committed with what the code knew last; tests fail when one is stale.
runCommand(async () => {
  if (!readCommandLine(LINE)) return;
  console.error('Counting the resources in the template (takes a few seconds)');
  const outdir = join(ROOT, '.local', 'facts-assembly');
  // Monitoring as each stage has it by default.
  await synthesize({ app: join(ROOT, 'bin', 'app.ts'), outdir, root: ROOT, context: { monitoring: '' } });
  const facts: Fact[] = [
    ...codeFacts(),
    ...packageFacts(),
    ...ruleFacts(),
    ...templateFacts(resourcesIn(outdir, STACK)),
    ...sandboxFacts(resourcesIn(outdir, 'FraudScreening-sandbox')),
  ];
  for (const page of pagesOf(facts)) update(page, (text) => withFacts(page, text, facts));
  update(SCORE_PAGE, withTables);
  update(RETENTION_PAGE, withRetention);
  update(RULE_NAMES_PAGE, withRuleNames);
});
