/** A tree of path segments; each node may have methods. */
interface Node<T> {
  readonly statics: Map<string, Node<T>>;
  parameter?: { readonly name: string; readonly node: Node<T> };
  greedy?: { readonly name: string; readonly node: Node<T> };
  path?: string;
  readonly methods: Map<string, T>;
}

export interface Match<T> {
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly route: T;
}

export interface Routes<T> {
  add(path: string, method: string, route: T): void;
  match(segments: readonly string[], method: string): Match<T> | undefined;
}

const node = <T>(): Node<T> => ({ statics: new Map(), methods: new Map() });

function child<T>(parent: Node<T>, segment: string): Node<T> {
  const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(segment) ?? [];
  if (name) {
    const kind = plus ? 'greedy' : 'parameter';
    parent[kind] ??= { name, node: node() };
    return parent[kind].node;
  }
  const existing = parent.statics.get(segment);
  if (existing) return existing;
  const made = node<T>();
  parent.statics.set(segment, made);
  return made;
}

const routeOf = <T>(at: Node<T>, method: string): T | undefined => at.methods.get(method) ?? at.methods.get('ANY');

function search<T>(at: Node<T>, segments: readonly string[], method: string): Match<T> | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    const route = routeOf(at, method);
    return route === undefined ? undefined : { path: at.path ?? '/', pathParameters: {}, route };
  }
  const fixed = at.statics.get(segment);
  const found = fixed && search(fixed, rest, method);
  if (found) return found;
  if (at.parameter && segment !== '') {
    const { name, node: next } = at.parameter;
    const matched = search(next, rest, method);
    if (matched) return { ...matched, pathParameters: { [name]: segment, ...matched.pathParameters } };
  }
  if (!at.greedy) return undefined;
  const { name, node: last } = at.greedy;
  const route = routeOf(last, method);
  return route === undefined
    ? undefined
    : { path: last.path ?? '/', pathParameters: { [name]: segments.join('/') }, route };
}

/** Resource matching as a REST API does it: a fixed segment before `{parameter}` before `{proxy+}`; `ANY` last. */
export function routes<T>(): Routes<T> {
  const root = node<T>();
  return {
    add: (path, method, route) => {
      const at = path
        .split('/')
        .filter(Boolean)
        .reduce(child<T>, root);
      at.path = path;
      at.methods.set(method, route);
    },
    match: (segments, method) => search(root, segments, method),
  };
}
