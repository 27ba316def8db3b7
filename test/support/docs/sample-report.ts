import { evaluate } from '../../../shared/domain/models/evaluation/evaluate';
import { decidePromotion } from '../../../shared/domain/models/promotion-rule';
import type { ModelReport } from '../../../training/report/charts';
import { comparedRows } from '../traffic/compared-rows';

const evaluation = evaluate(comparedRows({ champion: 0.7, challenger: 2 }));

/** A report with everything in it; `hostile` is put wherever a merchant's or operator's text can turn up. */
export function sampleReport(hostile = 'basket_size'): ModelReport {
  return {
    version: 'm-20261114-093000-0a1b2c3d4e',
    card: {
      source: 'labels',
      trained_at: '2026-11-14T09:30:00.000Z',
      parent: 'base-0a1b2c3d4e',
      window: { from: '2026-09-01T00:00:00.000Z', to: '2026-11-14T09:00:00.000Z' },
      rows: 1600,
      labels: { fraud: 300, legitimate: 1300 },
      holdout: null,
      worth_tracking: [{ account_id: 'acc_1', key: hostile, values: 800, repeated: 0.7, lift: 6.1 }],
      score_shares: Array.from({ length: 10 }, () => 0.1),
      features: [
        { name: 'user_tx_1h', gain: 0.4 },
        { name: `attributes.${hostile}`, gain: 0.3 },
        { name: 'amount_ln_usd', gain: 0.2 },
      ],
      monotone: { user_tx_1h: 1, user_age_days: -1 },
      settings: { num_iterations: 200, learning_rate: 0.1, note: hostile },
    },
    attributes: {
      columns: [
        { feature: `attributes.${hostile}`, source: `attributes.${hostile}`, kind: 'number' },
        { feature: 'attributes.channel', source: 'attributes.channel', kind: 'rate', codes: [[1, 0.1]] },
      ],
    },
    evaluation,
    verdict: decidePromotion({ ...evaluation, anchor: null }),
    learned: [`Stops 14 of the 22 newest frauds that the champion allowed, mostly by fraud rate of ${hostile} (61%).`],
    teaching: {
      shares: [{ account_id: 'acc_1', fraud: 0.2, legitimate: 0.1, is_at_cap: true }],
      held: [{ whose: 'acc_1/analyst:ann', status: 'held', labels: 60, found: 'departs by 70% from the rest' }],
    },
    shadow: {
      evaluation,
      verdict: decidePromotion({ ...evaluation, anchor: { champion_auc: 0.9, challenger_auc: 0.7, known: 100 } }),
    },
    descriptions: { user_tx_1h: 'user: transactions in an hour', amount_ln_usd: `logarithm ${hostile}` },
  };
}
