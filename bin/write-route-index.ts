import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPlainCommand } from '../shared/cli/command-line';
import { routeIndex } from './new/route-index';

// Committed, like all generated files; a test fails when it is stale.
runPlainCommand(
  {
    usage: 'npm run generate',
    about:
      'Writes everything that is derived from code: the route index, OpenAPI, the clients’ types, facts in documents.',
    next: 'npm run check, then commit what changed.',
  },
  () => {
    const folder = join(__dirname, '../shared/routes');
    const file = join(folder, 'index.ts');
    writeFileSync(file, routeIndex(folder, readFileSync(file, 'utf8')));
  },
);
