import { writeFileSync } from 'node:fs';
import { readCommandLine, runCommand } from '../shared/cli/command-line';
import { sdkTypes, TYPES_FILE } from './sdk/compile-types';
import { PYTHON_SYNC_FILES, pythonSync } from './sdk/python-sync';
import { PYTHON_TYPES_FILE, pythonTypes } from './sdk/python-types';

// The clients' types are committed, so that a change of the API shows in the diff; a test fails when they are stale.
runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run sdk:types -- [options]',
    about:
      'Writes the types of the TypeScript and Python clients from the OpenAPI document, and the sync Python client from the async one.',
    options: { print: { does: 'print them instead' } },
    next: 'commit what changed.',
  });
  if (!given) return;
  const text = await sdkTypes();
  if (given.flags.has('print')) return void process.stdout.write(text);
  writeFileSync(TYPES_FILE, text);
  writeFileSync(PYTHON_TYPES_FILE, pythonTypes());
  for (const { source, file } of PYTHON_SYNC_FILES) writeFileSync(file, pythonSync(source));
});
