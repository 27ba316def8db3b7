import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface RouteFile {
  readonly module: string;
  readonly routes: readonly string[];
}

const routesIn = (source: string): string[] =>
  [...source.matchAll(/^export const (\w+Route) = defineRoute\(/gm)].map(([, name]) => name as string);

const LINE_WIDTH = 120;
const byName = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);

/** As the formatter writes it. */
function importOf(routes: readonly string[], module: string): string {
  const names = routes.toSorted(byName);
  const line = `import { ${names.join(', ')} } from './${module}';`;
  return line.length <= LINE_WIDTH
    ? line
    : `import {\n${names.map((name) => `  ${name},\n`).join('')}} from './${module}';`;
}

/**
 * The text of `shared/routes/index.ts` for the route files of a folder. The rows keep their order, which is that of the
 * reference; new routes go before the routes without a key, which come last.
 */
export function routeIndex(folder: string, current: string): string {
  const files: RouteFile[] = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
    .map((file) => ({
      module: file.replace(/\.ts$/, ''),
      routes: routesIn(readFileSync(join(folder, file), 'utf8')),
    }));
  const found = files.flatMap(({ routes }) => routes);
  // Imports over several lines have such rows, too.
  const table = current.slice(current.indexOf('export const ROUTES'));
  const listed = [...table.matchAll(/^ {2}(\w+Route),$/gm)].map(([, name]) => name as string);
  const kept = listed.filter((name) => found.includes(name));
  const added = found.filter((name) => !listed.includes(name));
  const publicAt = kept.indexOf('getOpenapiRoute');
  const rows = publicAt < 0 ? [...kept, ...added] : kept.toSpliced(publicAt, 0, ...added);
  const imports = files
    .filter(({ module, routes }) => routes.length > 0 || module === 'define-route')
    .sort((a, b) => (a.module < b.module ? -1 : 1))
    .map(({ module, routes }) =>
      module === 'define-route' ? "import type { Route } from './define-route';" : importOf(routes, module),
    );
  return `${imports.join('\n')}

/** The whole API, one row per route. The stack, the OpenAPI document and a test walk this table. */
export const ROUTES = [
${rows.map((name) => `  ${name},`).join('\n')}
] as const satisfies readonly Route[];
`;
}
