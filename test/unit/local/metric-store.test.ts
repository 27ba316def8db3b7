import { metricStore } from '../../../local/cloudwatch/metric-store';

const NOW = 1_000_000_000_000;
const metric = (over: object = {}) => ({ namespace: 'N', name: 'M', dimensions: { stage: 'sandbox' }, ...over });
const last = (ms: number, periodMs = ms) => ({ fromMs: NOW - ms, toMs: NOW, periodMs });

describe('the store of metrics', () => {
  const filled = () => {
    const store = metricStore(() => NOW);
    for (let value = 1; value <= 100; value++) store.record(metric(), value, NOW - 30_000);
    return store;
  };

  it.each([
    ['Sum', 5_050],
    ['SampleCount', 100],
    ['Average', 50.5],
    ['Minimum', 1],
    ['Maximum', 100],
    ['p50', 50],
    ['p99', 99],
    ['p99.9', 100],
    ['TC(0:10)', 10],
    ['TC(90:100)', 10],
    ['TC(90:)', 10],
    ['PR(:25)', 25],
  ])('%s', (stat, expected) => {
    expect(filled().points(metric(), stat, last(60_000))).toEqual([expected]);
  });

  it('refuses a statistic that it does not know', () => {
    expect(() => filled().points(metric(), 'tm99', last(60_000))).toThrow('tm99');
  });

  it('tells periods, names, namespaces and dimensions apart', () => {
    const store = metricStore(() => NOW);
    store.record(metric(), 1, NOW - 15_000);
    store.record(metric(), 2, NOW - 5_000);
    store.record(metric({ name: 'Other' }), 4, NOW - 5_000);
    store.record(metric({ namespace: 'Other' }), 8, NOW - 5_000);
    store.record(metric({ dimensions: { stage: 'production' } }), 16, NOW - 5_000);
    expect(store.points(metric(), 'Sum', last(20_000, 10_000))).toEqual([1, 2]);
    expect(store.points(metric(), 'Sum', last(30_000, 10_000))).toEqual([undefined, 1, 2]);
    expect(store.points(metric({ name: 'Nobody' }), 'Sum', last(20_000, 10_000))).toEqual([undefined, undefined]);
    expect(store.known()).toHaveLength(4);
  });

  it('finds a metric whatever the order of its dimensions', () => {
    const store = metricStore(() => NOW);
    store.record(metric({ dimensions: { a: '1', b: '2' } }), 7, NOW - 5_000);
    expect(store.points(metric({ dimensions: { b: '2', a: '1' } }), 'Sum', last(10_000))).toEqual([7]);
  });

  it('forgets what is older than alarms look back', () => {
    let now = NOW;
    const store = metricStore(() => now);
    store.record(metric(), 1);
    now += 8 * 3_600_000;
    store.record(metric(), 2);
    const day = { fromMs: NOW - 60_000, toMs: now + 5_000, periodMs: 24 * 3_600_000 };
    expect(store.points(metric(), 'Sum', day)).toEqual([2]);
  });
});
