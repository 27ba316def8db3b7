import { readCommandLine, runCommand } from '../shared/cli/command-line';
import { buildPackage, SDK_PACKAGES } from './sdk/build-package';

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run sdk:build -- [NAME [DIRECTORY]]',
    about: 'Builds every SDK package in its folder; with a name and a directory, that one into there.',
    options: {},
    takesWords: true,
    next: 'npm pack ./sdk/client makes a tarball that npm install takes.',
  });
  if (!given) return;
  const [only, outDir] = given.words;
  for (const name of SDK_PACKAGES.filter((each) => only === undefined || each === only)) {
    for (const { file, bytes, gzipBytes } of await buildPackage(name, outDir)) {
      console.log(`sdk/${name}/${file}  ${bytes} bytes, ${gzipBytes} gzipped`);
    }
  }
});
