import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiReference } from '../docs/site/api-reference';
import { busEventSchema } from '../docs/site/bus-events';
import { runPlainCommand } from '../shared/cli/command-line';
import { publishedOpenapi } from './sdk/published-openapi';

// All are committed, so that a change of the API shows in the diff; a test fails when one is stale.
runPlainCommand(
  {
    usage: 'npm run openapi',
    about:
      'Writes docs/openapi.json, docs/bus-events.schema.json and docs/guide/api.md from the routes and their schemas, then the types of the clients.',
    next: 'commit what changed.',
  },
  () => {
    const document = publishedOpenapi();
    writeFileSync(join(__dirname, '../docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
    writeFileSync(join(__dirname, '../docs/guide/api.md'), apiReference(document));
    const events = busEventSchema(document);
    writeFileSync(join(__dirname, '../docs/bus-events.schema.json'), `${JSON.stringify(events, null, 2)}\n`);
  },
);
