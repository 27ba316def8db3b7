import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Who imports whom: by file or by folder, from the root of the repository. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g;

/** The imports of every TypeScript file below some folders. */
export function importGraph(root: string, folders: readonly string[]): Graph {
  const files = new Set(
    folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => normalize(join(folder, name))),
    ),
  );
  const resolved = (path: string): string | undefined =>
    [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => files.has(candidate));
  return new Map(
    [...files].map((file) => {
      const found = [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, specifier = '']) =>
        resolved(normalize(join(dirname(file), specifier))),
      );
      return [file, new Set(found.filter((target) => target !== undefined))];
    }),
  );
}

/** The graph of what files belong to; what imports itself is left out. */
export function grouped(graph: Graph, groupOf: (file: string) => string): Graph {
  const groups = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const group = groupOf(file);
    const seen = groups.get(group) ?? new Set();
    groups.set(group, seen);
    for (const target of targets) if (groupOf(target) !== group) seen.add(groupOf(target));
  }
  return groups;
}

/** Every circle, each once, as what lies on it. A depth-first walk: an arrow back to what is still open closes one. */
export function circlesOf(graph: Graph): string[][] {
  const circles: string[][] = [];
  const open: string[] = [];
  const done = new Set<string>();
  const visit = (node: string): void => {
    if (done.has(node)) return;
    const at = open.indexOf(node);
    if (at >= 0) {
      circles.push([...open.slice(at), node]);
      return;
    }
    open.push(node);
    for (const target of graph.get(node) ?? []) visit(target);
    open.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return circles;
}
