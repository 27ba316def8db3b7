import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiDocument } from '../shared/routes/openapi';

// docs/openapi.json is committed, so that a change of the API shows in the diff; a test fails when it is stale.
writeFileSync(join(__dirname, '../docs/openapi.json'), `${JSON.stringify(openapiDocument(), null, 2)}\n`);
