import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiReference } from '../docs/site/api-reference';
import type { OpenapiDocument } from '../docs/site/openapi-document';
import { openapiDocument } from '../shared/routes/openapi';

// Both are committed, so that a change of the API shows in the diff; a test fails when one is stale.
const document = openapiDocument();
writeFileSync(join(__dirname, '../docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(
  join(__dirname, '../docs/guide/api.md'),
  apiReference(JSON.parse(JSON.stringify(document)) as OpenapiDocument),
);
