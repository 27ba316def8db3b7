import { explainedSignal, FEATURES } from '../../../shared/domain/screening/features';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import explained from '../../fixtures/explained-signals.json';

/*
 * Which signal a model's part is shown under, of the 277 features of version 4: part of every explanation, so that a
 * change must be meant. A new feature need not be listed.
 */
it.each(Object.entries(explained))('%s', (signal, features) => {
  const found = features.map((name) => [name, explainedSignal(name) ?? 'none']);
  expect(found).toEqual(features.map((name) => [name, signal]));
});

it('a feature explains a signal that exists', () => {
  const names = new Set(SIGNALS.map(({ name }) => name));
  const unknown = FEATURES.filter(({ explains }) => explains !== undefined && !names.has(explains));
  expect(unknown.map(({ name, explains }) => `${name}: ${explains}`)).toEqual([]);
});

it('what is no feature of ours explains none: the sum of the rules, and attributes that a model has learnt', () => {
  expect(['rules_log_odds', 'basket_amount_rate'].map(explainedSignal)).toEqual([undefined, undefined]);
});
