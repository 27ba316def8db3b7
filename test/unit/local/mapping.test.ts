import { type Mapping, shareOut } from '../../../local/events/mapping';

const dispatcher = { limit: 10 };
const other = { limit: 6 };
const mapping = (target: object, maxConcurrency: number) => ({ target, maxConcurrency }) as unknown as Mapping;
const shares = (...mappings: readonly Mapping[]): number[] =>
  shareOut(mappings).map(({ maxConcurrency }) => maxConcurrency);

it('gives the only event source of a function all its environments, and never more than it may have', () => {
  expect(shares(mapping(dispatcher, 100), mapping(other, 2))).toEqual([10, 2]);
});

it('shares them out among several in proportion, each at least one', () => {
  expect(shares(mapping(dispatcher, 100), mapping(dispatcher, 50), mapping(other, 5))).toEqual([6, 3, 5]);
  expect(shares(mapping(other, 1_000), mapping(other, 2))).toEqual([5, 1]);
});
