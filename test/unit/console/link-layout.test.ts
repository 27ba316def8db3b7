import { linkLayout, pathToFraud } from '../../../console/src/charts/link-layout';
import { linkName } from '../../../console/src/text/words';

const node = (id: string, type: string, more: object = {}) => ({
  ...{ id, type, label: `${type} ${id}`, confirmed_fraud: false, users: type === 'user' ? 1 : 2, ...more },
});
const edge = (from: string, to: string) => ({ from, to, since: '2026-11-01T00:00:00.000Z' });

/** A user with a card and a phone of their own, and an office that three hundred share; a fraud uses the same card. */
const graph = {
  nodes: [
    node('me', 'user', { label: 'user-42' }),
    node('office', 'ip_address', { users: 300 }),
    node('phone', 'device', { users: 1 }),
    node('card', 'attribute:card_fingerprint'),
    node('bo', 'user'),
    node('thief', 'user', { confirmed_fraud: true }),
  ],
  edges: [edge('me', 'office'), edge('me', 'phone'), edge('me', 'card'), edge('bo', 'card'), edge('thief', 'card')],
  truncated: false,
};

it('puts what leads to others first and crowds last, and draws every edge once between its rows', () => {
  const layout = linkLayout(graph);
  expect(layout?.used.map(({ id }) => id)).toEqual(['card', 'phone', 'office']);
  expect(layout?.others.map(({ id }) => id)).toEqual(['bo', 'thief']);
  expect(layout?.own.map(({ to, rows }) => [to, rows])).toEqual([
    ['office', [1, 2]],
    ['phone', [1, 1]],
    ['card', [1, 0]],
  ]);
  expect(layout?.shared.map(({ from, rows, isOnPath }) => [from, rows, isOnPath])).toEqual([
    ['bo', [0, 0], false],
    ['thief', [0, 1], true],
  ]);
});

it('is the same picture in whatever order the nodes come', () => {
  const [me, ...rest] = graph.nodes;
  const turned = { ...graph, nodes: [me, ...rest.reverse()] as typeof graph.nodes };
  expect(linkLayout(turned)).toMatchObject({ used: linkLayout(graph)?.used, others: linkLayout(graph)?.others });
});

it('finds the shortest way to a confirmed fraud, and none where there is none', () => {
  expect(pathToFraud(graph).map(({ id }) => id)).toEqual(['me', 'card', 'thief']);
  const nearer = graph.nodes.map((each) => (each.id === 'phone' ? { ...each, confirmed_fraud: true } : each));
  expect(pathToFraud({ ...graph, nodes: nearer }).map(({ id }) => id)).toEqual(['me', 'phone']);
  const honest = graph.nodes.map((each) => ({ ...each, confirmed_fraud: each.id === 'me' }));
  expect(pathToFraud({ ...graph, nodes: honest })).toEqual([]);
  expect(linkLayout({ nodes: [], edges: [], truncated: false })).toBeUndefined();
});

it('names nodes by their kind, users as they are, without what cannot be seen', () => {
  expect(linkName({ type: 'attribute:card_fingerprint', label: 'card_fingerprint b7mQz4' })).toBe('Card b7mQz4');
  expect(linkName({ type: 'ip_address', label: 'ip address Jx0cH1' })).toBe('IP address Jx0cH1');
  expect(linkName({ type: 'attribute:loyalty_no', label: 'loyalty_no abc' })).toBe('Loyalty no abc');
  expect(linkName({ type: 'user', label: 'a\u202eb' })).toBe('a‹U+202E›b');
});
