import { openCase } from '../../../shared/usecases/screening/effects/result';
import { screened } from '../../support/changes';

const AT_MS = Date.UTC(2026, 2, 1);

it('takes the pseudonym of the device along, so that cases of one device can be told', () => {
  const entities = ['user#aaa', 'device#bbb', 'attribute.email#ccc'];
  expect(openCase(screened(AT_MS, { entities }))).toMatchObject({ device: 'bbb' });
  expect(openCase(screened(AT_MS, { entities: ['user#aaa'] }))).not.toHaveProperty('device');
});

it('takes the trace of the request along, for the webhooks about it', () => {
  const trace = 'S_kvNXezTaajzpKdDg5HNgDwZ6oLqQK3AQ';
  expect(openCase(screened(AT_MS, { trace })).trace).toBe(trace);
});

it('is open, and names the signals that raised the score', () => {
  const contributions = [
    { signal: 'new_device', points: 20, detail: '' },
    { signal: 'trusted_history', points: -5, detail: '' },
  ];
  const record = screened(AT_MS, { contributions, risk_score: 70 });
  expect(openCase(record)).toEqual({
    ulid: record.ulid,
    ...{ subject_type: 'transaction', user_id: 'user-1', amount: '25', currency: 'EUR' },
    ...{ status: 'open', risk_score: 70, signals: ['new_device'], created_at_ms: AT_MS },
    ...{ resolved_at: null, resolved_by: null, notes: null },
  });
});
