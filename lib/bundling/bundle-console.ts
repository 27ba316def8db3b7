import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { RULE_NAMES } from '../../shared/domain/rules/rule-names';
import type { Stage } from '../../shared/domain/stage';
import { ATTRIBUTIONS } from './compile-intelligence';

const ROOT = join(__dirname, '../..');
const CONSOLE = join(ROOT, 'console');
const OUT = join(ROOT, 'dist/console');

/** The only page; everything else is an asset with its hash in the name. */
export const CONSOLE_PAGE = 'index.html';

/** The build fails above this size: the whole console, as a browser downloads it. */
export const MAX_CONSOLE_BYTES_GZIPPED = 72_000;

export interface ConsoleBundle {
  readonly assetsDirectory: string;
  readonly pageDirectory: string;
  /** All files together, gzipped one by one. */
  readonly gzippedBytes: number;
}

/** How people sign in by OpenID Connect, as the page's script reads it (console/src/api/provider.ts). */
export interface ConsoleSignIn {
  readonly stage: Stage;
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** For a provider that issues tokens per API. @default the client */
  readonly audience?: string;
}

type Files = ReadonlyMap<string, Uint8Array>;

/** Makes a directory hold exactly these files. Correct files are left alone: two syntheses may run at once. */
function writeDirectory(directory: string, files: Files): void {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(directory)) if (!files.has(name)) rmSync(join(directory, name));
  for (const [name, contents] of files) {
    const path = join(directory, name);
    if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
  }
}

function bundleAssets(): Files {
  const { outputFiles } = buildSync({
    entryPoints: {
      console: join(CONSOLE, 'src/main.tsx'),
      style: join(CONSOLE, 'src/style/main.css'),
      icon: join(CONSOLE, 'src/icon.svg'),
    },
    loader: { '.svg': 'copy' },
    // Only the names: features and signals with all that they compute would double the console.
    define: {
      ATTRIBUTIONS: JSON.stringify(ATTRIBUTIONS.join('; ')),
      RULE_NAMES: JSON.stringify(RULE_NAMES.map(({ name, type, description }) => ({ name, type, description }))),
    },
    outdir: OUT,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    // The minimum for AbortSignal.any.
    target: ['chrome116', 'firefox124', 'safari17.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  return new Map(outputFiles.map(({ path, contents }) => [path.slice(OUT.length + 1), contents]));
}

/** `{{console.js}}` in the page becomes `assets/console-<hash>.js`: relative, so the page works under any path. */
function fillPage(assets: Files): string {
  return readFileSync(join(CONSOLE, CONSOLE_PAGE), 'utf8').replace(/\{\{([a-z]+)\.([a-z]+)\}\}/g, (_, name, ending) => {
    const found = [...assets.keys()].find((file) => file.startsWith(`${name}-`) && file.endsWith(`.${ending}`));
    if (!found) throw new Error(`console/${CONSOLE_PAGE} names ${name}.${ending}, which is not built`);
    return `assets/${found}`;
  });
}

const quoted = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The script takes it from the page: the same assets serve every deployment, however people sign in. */
const withSignIn = (page: string, signIn: ConsoleSignIn): string =>
  page.replace('</head>', () => `<meta name="sign-in" content="${quoted(JSON.stringify(signIn))}">\n</head>`);

let built: Files | undefined;
const bundled = new Map<string, ConsoleBundle>();

/** Builds the review console, once per process and way of signing in. */
export function bundleConsole(signIn?: ConsoleSignIn): ConsoleBundle {
  const variant = signIn ? `-${createHash('sha256').update(JSON.stringify(signIn)).digest('hex').slice(0, 8)}` : '';
  const bundle = bundled.get(variant) ?? buildConsole(variant, signIn);
  bundled.set(variant, bundle);
  return bundle;
}

function buildConsole(variant: string, signIn?: ConsoleSignIn): ConsoleBundle {
  built ??= bundleAssets();
  const assets = built;
  const filled = fillPage(assets);
  const page: Files = new Map([[CONSOLE_PAGE, Buffer.from(signIn ? withSignIn(filled, signIn) : filled)]]);
  const gzippedBytes = [...assets.values(), ...page.values()].reduce((sum, file) => sum + gzipSync(file).length, 0);
  if (gzippedBytes > MAX_CONSOLE_BYTES_GZIPPED) {
    throw new Error(`The console has ${gzippedBytes} bytes gzipped, over its ${MAX_CONSOLE_BYTES_GZIPPED}`);
  }
  const bundle = { assetsDirectory: join(OUT, 'assets'), pageDirectory: join(OUT, `page${variant}`), gzippedBytes };
  writeDirectory(bundle.assetsDirectory, assets);
  writeDirectory(bundle.pageDirectory, page);
  return bundle;
}
