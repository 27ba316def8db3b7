import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type CommandLine, needWord, printFailure, readCommandLine, UsageError } from '../shared/cli/command-line';
import { ACCESS_FILE, endpointFiles, withAccessRow } from './new/endpoint-files';
import { endpointNames } from './new/endpoint-names';

const LINE: CommandLine = {
  usage: 'npm run new -- endpoint GET /v1/things/{id} [options]',
  about: "Writes the first version of an endpoint's files.",
  options: {
    in: { value: 'capability', does: 'folder of the use case (default: the noun of the path)' },
    root: { value: 'path', does: 'repository to write to (default: this one)' },
  },
  takesWords: true,
  next: 'docs/how-to/add-an-endpoint.md',
};

/** `npm run new`: five files and a row of grants; `npm run generate` does the rest. */
function main(): void {
  const given = readCommandLine(LINE);
  if (!given) return;
  if (needWord(given, 0, 'endpoint') !== 'endpoint') throw new UsageError('Only endpoints can be made.\nTry --help.');
  const [method, path] = [needWord(given, 1, 'method'), needWord(given, 2, 'path')];
  const root = resolve(given.texts.root ?? join(__dirname, '..'));
  const names = endpointNames(method, path, given.texts.in);
  const files = endpointFiles(names);
  const taken = Object.keys(files).filter((file) => existsSync(join(root, file)));
  if (taken.length > 0) throw new UsageError(`There already: ${taken.join(', ')}. Nothing was written.`);
  const access = withAccessRow(readFileSync(join(root, ACCESS_FILE), 'utf8'), names);
  for (const [file, text] of Object.entries({ ...files, [ACCESS_FILE]: access })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const biome = join(__dirname, '../node_modules/@biomejs/biome/bin/biome');
  const written = [...Object.keys(files), ACCESS_FILE];
  execFileSync(process.execPath, [biome, 'check', '--write', ...written], { cwd: root, stdio: 'ignore' });
  console.log(`${written.map((file) => `  ${file}`).join('\n')}\n\nNext: docs/how-to/add-an-endpoint.md, from step 2.`);
}

try {
  main();
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
