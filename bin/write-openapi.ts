import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiReference } from '../docs/site/api-reference';
import { publishedOpenapi } from './sdk/published-openapi';

// Both are committed, so that a change of the API shows in the diff; a test fails when one is stale.
const document = publishedOpenapi();
writeFileSync(join(__dirname, '../docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(join(__dirname, '../docs/guide/api.md'), apiReference(document));
