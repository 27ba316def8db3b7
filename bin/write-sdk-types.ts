import { writeFileSync } from 'node:fs';
import { sdkTypes, TYPES_FILE } from './sdk/sdk-types';

// The client's types are committed, so that a change of the API shows in the diff; a test fails when they are stale.
void sdkTypes().then((text) =>
  process.argv.includes('--print') ? process.stdout.write(text) : writeFileSync(TYPES_FILE, text),
);
