import { buildPackage, SDK_PACKAGES } from './sdk/build-package';

// `npm run sdk:build` builds every package in its folder; with a name and a folder, that one into there.
const [only, outDir] = process.argv.slice(2);

async function main(): Promise<void> {
  for (const name of SDK_PACKAGES.filter((each) => only === undefined || each === only)) {
    for (const { file, bytes, gzipBytes } of await buildPackage(name, outDir)) {
      console.log(`sdk/${name}/${file}  ${bytes} bytes, ${gzipBytes} gzipped`);
    }
  }
}

void main();
