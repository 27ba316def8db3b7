import { dirname, join } from 'node:path';
import { circlesOf, grouped, importGraph } from '../support/import-graph';

const ROOT = join(__dirname, '../..');
const FOLDERS = ['bin', 'lib', 'functions', 'shared', 'local', 'bench', 'training', 'demo', 'test'];

/** `shared/domain/cases`, `training/replay`, `bin/verify`, `local`: what is below a room belongs to it. */
function roomOf(file: string): string {
  const [top = '', ...rest] = dirname(file).split('/');
  return [top, ...rest.slice(0, top === 'shared' ? 2 : top === 'training' || top === 'bin' ? 1 : 0)].join('/');
}

const graph = importGraph(ROOT, FOLDERS);

it('no two rooms import each other, by any way round', () => {
  expect(circlesOf(grouped(graph, roomOf))).toEqual([]);
});

it('no two top-level folders import each other, by any way round', () => {
  expect(circlesOf(grouped(graph, (file) => file.split('/')[0] ?? ''))).toEqual([]);
});

it('sees the arrows that there are', () => {
  const rooms = grouped(graph, roomOf);
  expect([...(rooms.get('shared/usecases/cases') ?? [])]).toContain('shared/domain/cases');
  expect([...(rooms.get('shared/domain/models') ?? [])]).toContain('shared/domain/screening');
  expect(rooms.size).toBeGreaterThan(35);
});

it('sees a circle, short or long', () => {
  const arrows = (...pairs: ReadonlyArray<readonly [string, string]>) =>
    new Map(pairs.map(([from, to]) => [from, new Set([to])]));
  expect(circlesOf(arrows(['a', 'b'], ['b', 'a']))).toEqual([['a', 'b', 'a']]);
  expect(circlesOf(arrows(['x', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a']))).toEqual([['a', 'b', 'c', 'a']]);
  expect(circlesOf(arrows(['a', 'b'], ['b', 'c']))).toEqual([]);
});
