import { departuresIn, labelStatistics, type ScoredLabel } from '../../../shared/domain/models/label-departures';
import {
  decideLabels,
  holdLabels,
  isAccepted,
  reviewAgainst,
  reviewsIn,
} from '../../../shared/domain/models/label-reviews';
import { EMPTY_REGISTRY } from '../../../shared/domain/models/registry-state';

const DAY = 86_400_000;
const at = (day: number) => ({ at: new Date(day * DAY).toISOString(), by: 'somebody', reason: 'looked at them' });
const departure = { whose: 'acc_1/analyst:eve', from: null, labels: 60, found: 'departs' };
const label = (day: number, actors: readonly string[] = ['analyst:eve', 'key:k1']) => ({
  ...{ account_id: 'acc_1', actors, labeled_at_ms: day * DAY },
});

describe('labels that are held', () => {
  const held = holdLabels(EMPTY_REGISTRY, departure, at(10));

  it('do not teach, those of others do', () => {
    expect(reviewAgainst(reviewsIn(held), label(1))).toMatchObject({ status: 'held', whose: departure.whose });
    expect(reviewAgainst(reviewsIn(held), label(1, ['analyst:ann', 'key:k1']))).toBeUndefined();
    expect(reviewAgainst(reviewsIn(held), { ...label(1), account_id: 'acc_2' })).toBeUndefined();
  });

  it('teach once accepted, and are not held again; who accepted them is on record', () => {
    const accepted = decideLabels(held, departure.whose, 'accepted', at(11));
    expect(reviewAgainst(reviewsIn(accepted), label(1))).toBeUndefined();
    expect(isAccepted(reviewsIn(accepted), departure.whose)).toBe(true);
    expect(holdLabels(accepted, departure, at(12))).toBe(accepted);
    expect(reviewsIn(accepted)).toMatchObject([{ status: 'accepted', held: { at: at(10).at }, decided: at(11) }]);
  });

  it('never teach once rejected; what is labelled later is compared anew', () => {
    const rejected = decideLabels(held, departure.whose, 'rejected', at(11));
    expect(reviewAgainst(reviewsIn(rejected), label(11))).toMatchObject({ status: 'rejected' });
    expect(reviewAgainst(reviewsIn(rejected), label(12))).toBeUndefined();
    const again = holdLabels(rejected, departure, at(20));
    expect(reviewsIn(again).map(({ status }) => status)).toEqual(['rejected', 'held']);
  });

  it('can be rejected without having been held, but not accepted', () => {
    const rejected = decideLabels(EMPTY_REGISTRY, 'acc_1', 'rejected', at(3));
    expect(reviewAgainst(reviewsIn(rejected), label(2))).toMatchObject({ whose: 'acc_1' });
    expect(() => decideLabels(EMPTY_REGISTRY, 'acc_1', 'accepted', at(3))).toThrow(/No labels of acc_1 are held/);
  });

  it('are the whole account when somebody makes up one analyst after another', () => {
    const many = Array.from({ length: 40 }, (_, i) => `acc_1/analyst:${i}`).reduce(
      (state, whose) => holdLabels(state, { ...departure, whose }, at(10)),
      EMPTY_REGISTRY,
    );
    expect(reviewsIn(many)).toHaveLength(21);
    expect(reviewAgainst(reviewsIn(many), label(1, ['analyst:anybody']))).toMatchObject({ whose: 'acc_1' });
  });
});

describe('labels that contradict the rest', () => {
  /** Attempts of two scores; of the high ones nine in ten are fraud. */
  const given = (actor: string, count: number, isTurned = false, day = 1): ScoredLabel[] =>
    Array.from({ length: count }, (_, i) => {
      const isFraud = i % 2 === 0 && i % 20 !== 0;
      const risk_score = i % 2 === 0 ? 75 : 5;
      return {
        ...{ account_id: 'acc_1', actors: [`analyst:${actor}`, 'key:k1'], labeled_at_ms: day * DAY + i },
        ...{ label: isFraud === isTurned ? 0 : 1, risk_score, probability: isFraud ? 0.8 : 0.1 },
      };
    });
  const held = (labels: readonly ScoredLabel[], sinceDay?: number) =>
    departuresIn(labelStatistics(labels, sinceDay === undefined ? undefined : sinceDay * DAY), []).map(
      ({ whose, from }) => [whose, from],
    );

  it('are found by actor; the key that everybody uses has nobody to be compared with', () => {
    expect(held([...given('ann', 200), ...given('bob', 200), ...given('eve', 60, true)])).toEqual([
      ['acc_1/analyst:eve', null],
    ]);
  });

  it('are not found among people who agree, however few high scores one of them sees', () => {
    const low = given('bob', 200).filter(({ risk_score }) => risk_score === 5);
    expect(held([...given('ann', 200), ...low])).toEqual([]);
  });

  it('are only the newest if the older ones agreed', () => {
    const labels = [...given('ann', 400), ...given('eve', 400), ...given('eve', 60, true, 9)];
    expect(held(labels, 5)).toEqual([['acc_1/analyst:eve', new Date(5 * DAY).toISOString()]]);
  });

  it('are not held for too few labels, nor where there is no rest', () => {
    expect(held([...given('ann', 200), ...given('eve', 40, true)])).toEqual([]);
    expect(held(given('eve', 500, true))).toEqual([]);
  });
});
