import type { LinkGraph } from '../api/types';

export type LinkNode = LinkGraph['nodes'][number];

/** Entities shared by more users than this are shown, but not followed. */
export const CROWD = 20;
export const isCrowd = ({ type, users }: LinkNode): boolean => type !== 'user' && users > CROWD;

export interface LinkLine {
  readonly from: string;
  readonly to: string;
  readonly since: string;
  /** Rows in the columns at the line's two ends, counted from 0. */
  readonly rows: readonly [left: number, right: number];
  readonly isOnPath: boolean;
}

/** Three columns: the user, what the user used, and who else used it. */
export interface LinkLayout {
  readonly user: LinkNode;
  readonly used: readonly LinkNode[];
  readonly others: readonly LinkNode[];
  readonly own: readonly LinkLine[];
  readonly shared: readonly LinkLine[];
  /** From the user to the nearest confirmed fraud, both included; empty if none is known. */
  readonly path: readonly LinkNode[];
}

const KINDS = ['attribute:card_fingerprint', 'device', 'attribute:email', 'attribute:phone', 'ip_address'];
const kindOrder = ({ type }: LinkNode): number => (KINDS.indexOf(type) + KINDS.length + 1) % (KINDS.length + 1);

export function neighboursOf({ edges }: LinkGraph): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (of: string, other: string): void => {
    found.set(of, [...(found.get(of) ?? []), other]);
  };
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  return found;
}

/** The nearest confirmed fraud other than the user, by the fewest steps; among equals, the one that is listed first. */
export function pathToFraud(graph: LinkGraph): readonly LinkNode[] {
  const [start] = graph.nodes;
  if (!start) return [];
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const neighbours = neighboursOf(graph);
  const cameFrom = new Map<string, string | undefined>([[start.id, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id !== start.id && byId.get(id)?.confirmed_fraud) {
      const path: LinkNode[] = [];
      for (let at: string | undefined = id; at !== undefined; at = cameFrom.get(at)) {
        const node = byId.get(at);
        if (node) path.unshift(node);
      }
      return path;
    }
    for (const next of neighbours.get(id) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  return [];
}

/** Shared entities come first, crowds last; users stand near what they share. The same graph gives the same picture. */
export function linkLayout(graph: LinkGraph): LinkLayout | undefined {
  const [user, ...rest] = graph.nodes;
  if (!user) return undefined;
  const neighbours = neighboursOf(graph);
  const degree = ({ id }: LinkNode): number => neighbours.get(id)?.length ?? 0;
  const rank = (node: LinkNode): number => (node.confirmed_fraud ? 0 : isCrowd(node) ? 3 : degree(node) > 1 ? 1 : 2);
  const used = rest
    .filter(({ type }) => type !== 'user')
    .sort((a, b) => rank(a) - rank(b) || kindOrder(a) - kindOrder(b) || (a.label < b.label ? -1 : 1));
  const rowOf = new Map(used.map(({ id }, row) => [id, row]));
  const centre = ({ id }: LinkNode): number => {
    const rows = (neighbours.get(id) ?? []).map((each) => rowOf.get(each) ?? 0);
    return rows.reduce((sum, row) => sum + row, 0) / Math.max(1, rows.length);
  };
  const others = rest
    .filter(({ type }) => type === 'user')
    .sort((a, b) => centre(a) - centre(b) || (a.label < b.label ? -1 : 1));
  const otherRow = new Map(others.map(({ id }, row) => [id, row]));
  const path = pathToFraud(graph);
  const steps = new Set(path.slice(1).map(({ id }, at) => [path[at]?.id, id].sort().join(' ')));
  const line = (edge: LinkGraph['edges'][number], rows: LinkLine['rows']): LinkLine => ({
    ...edge,
    rows,
    isOnPath: steps.has([edge.from, edge.to].sort().join(' ')),
  });
  const userRow = (Math.max(used.length, others.length) - 1) / 2;
  return {
    ...{ user, used, others, path },
    own: graph.edges
      .filter(({ from, to }) => from === user.id && rowOf.has(to))
      .map((edge) => line(edge, [userRow, rowOf.get(edge.to) ?? 0])),
    shared: graph.edges.flatMap((edge) => {
      const [left, right] = [rowOf.get(edge.to), otherRow.get(edge.from)];
      return left === undefined || right === undefined ? [] : [line(edge, [left, right])];
    }),
  };
}
