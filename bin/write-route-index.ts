import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routeIndex } from './new/route-index';

// Committed, like all generated files; a test fails when it is stale.
const folder = join(__dirname, '../shared/routes');
const file = join(folder, 'index.ts');
writeFileSync(file, routeIndex(folder, readFileSync(file, 'utf8')));
