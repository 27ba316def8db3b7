import { shortMemory } from '../../shared/domain/short-memory';

function world(lifeMs = 50, most = 2) {
  let nowMs = 0;
  const asked: string[] = [];
  const known = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  const ask = async (name: string) => {
    asked.push(name);
    return known.get(name);
  };
  const find = shortMemory(ask, () => nowMs, { lifeMs, most });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { asked, known, find, pass };
}

it('remembers what was found, for its time', async () => {
  const { find, known, pass, asked } = world();
  await find('a');
  known.delete('a');
  pass(49);
  expect(await find('a')).toBe(1);
  pass(1);
  expect(await find('a')).toBeUndefined();
  expect(asked).toEqual(['a', 'a']);
});

it('asks again for what was not found, and holds no more than it may', async () => {
  const { find, asked } = world();
  for (const name of ['x', 'x', 'a', 'b', 'c', 'b', 'a']) await find(name);
  expect(asked).toEqual(['x', 'x', 'a', 'b', 'c', 'a']);
});
