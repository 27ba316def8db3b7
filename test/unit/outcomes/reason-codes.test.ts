import { isFraudReason } from '../../../shared/domain/outcomes/reason-codes';

it.each([
  ['10.4', 'visa'],
  ['4837', 'mastercard'],
  ['4837', 'mc'],
  ['f29', 'American Express'],
  ['UA02', 'diners'],
  ['fraudulent', 'stripe'],
  ['fraudulent', 'visa'],
  ['10.4', undefined],
  ['UA01', 'a network nobody knows'],
  [undefined, 'visa'],
])('%s of %s is about fraud', (code, network) => {
  expect(isFraudReason(code, network)).toBe(true);
});

it.each([
  ['13.1', 'visa'],
  ['4853', 'mastercard'],
  ['C08', 'amex'],
  ['RG', 'discover'],
  ['product_not_received', 'stripe'],
  ['duplicate', 'stripe'],
  ['13.1', undefined],
  // A code means something only within its network.
  ['4837', 'visa'],
  ['constructor', 'constructor'],
])('%s of %s is not', (code, network) => {
  expect(isFraudReason(code, network)).toBe(false);
});
