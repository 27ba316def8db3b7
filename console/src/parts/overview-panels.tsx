import { asPercent } from '../../../shared/charts/as-percent';
import { stackValues } from '../../../shared/charts/stack-values';
import type { Overview } from '../api/types';
import { type Bar, Bars } from '../charts/bars';
import { nameOf, percent, plural, wholeNumber } from '../text/words';
import { casesOf } from './overview-tiles';
import { Panel } from './panel';

const TOP = 10;

/** The share of fraud among reviewed screenings; undefined when none was reviewed. */
const verdictOf = (fraud: number, legitimate: number): string | undefined =>
  fraud + legitimate === 0
    ? undefined
    : `${percent(fraud / (fraud + legitimate))} fraud out of ${wholeNumber(fraud + legitimate)} reviewed`;

/** The signals that fired most, and how often they were right. */
export function TopSignals({ overview: { signals } }: { readonly overview: Overview }) {
  // The model's own share is in nearly every score: it says nothing about what happened.
  const fired = signals.filter(({ signal }) => signal !== 'model_risk');
  const most = Math.max(1, ...fired.map(({ count }) => count));
  const bars = fired.slice(0, TOP).map(({ signal, count, confirmed_fraud, confirmed_legitimate }): Bar => {
    const reviewed = confirmed_fraud + confirmed_legitimate;
    return {
      label: nameOf(signal),
      share: count / most,
      value: wholeNumber(count),
      more: verdictOf(confirmed_fraud, confirmed_legitimate),
      ...(reviewed > 0 ? { inner: confirmed_fraud / Math.max(count, reviewed) } : {}),
    };
  });
  return (
    <Panel title="Top signals" aside={<span class="muted">screenings; confirmed fraud in red</span>}>
      {bars.length > 0 ? <Bars bars={bars} class="signals" /> : <p class="muted">No signals fired.</p>}
    </Panel>
  );
}

const OUTCOMES = [
  ['rejected', 'Rejected', 'fraud'],
  ['approved', 'Approved', 'legitimate'],
  ['open', 'Open', 'pending'],
  ['expired', 'Expired', 'no decision'],
] as const;

/** What became of the cases that were opened. */
export function Outcomes({ overview }: { readonly overview: Overview }) {
  const { cases } = overview;
  const parts = stackValues(OUTCOMES.map(([name]) => (cases.opened === 0 ? 0 : cases[name] / cases.opened)));
  return (
    <Panel
      title="Review outcomes"
      aside={<a href={casesOf(overview, { status: 'all' })}>{plural(cases.opened, 'case')} opened</a>}
    >
      <svg class="split-bar" aria-hidden="true">
        {parts.map(({ from, to }, index) => {
          const name = OUTCOMES[index]?.[0];
          return <rect key={name} class={name} x={asPercent(from)} width={asPercent(to - from)} height="100%" />;
        })}
      </svg>
      <dl class="split-legend">
        {OUTCOMES.map(([name, label, meaning]) => (
          <div key={name}>
            <dt>
              <i class={`dot ${name}`} /> {label} <span class="muted">{meaning}</span>
            </dt>
            <dd>
              <a href={casesOf(overview, { status: name })}>
                <b>{wholeNumber(cases[name])}</b>
                <span class="hidden"> {label.toLowerCase()} cases</span>
              </a>{' '}
              <span class="muted">{cases.opened === 0 ? '' : percent(cases[name] / cases.opened)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** The share of fraud among reviewed cases, by score: shows where a threshold would pay off. */
export function Precision({ overview: { scores } }: { readonly overview: Overview }) {
  const bars = scores
    .filter(({ confirmed_fraud, confirmed_legitimate }) => confirmed_fraud + confirmed_legitimate > 0)
    .map(({ from, to, confirmed_fraud, confirmed_legitimate }): Bar => {
      const reviewed = confirmed_fraud + confirmed_legitimate;
      return {
        label: `${from}–${to}`,
        share: 1,
        inner: confirmed_fraud / reviewed,
        value: percent(confirmed_fraud / reviewed),
        more: `${wholeNumber(confirmed_fraud)} of ${wholeNumber(reviewed)} were fraud`,
      };
    });
  return (
    <Panel title="Review precision by score">
      {bars.length > 0 ? <Bars bars={bars} class="precision" /> : <p class="muted">No reviews yet.</p>}
    </Panel>
  );
}
