import type { RuleTrial } from '../api/types';
import { trialView } from '../state/rules';
import { flipText, trialFacts } from '../text/rule-words';
import { plural, wholeNumber } from '../text/words';
import { Facts } from './case-facts';
import { Panel } from './panel';
import { Skeleton } from './states';

const MOST_EXAMPLES = 5;

function Result({ trial }: { readonly trial: RuleTrial }) {
  const { flips, examples, not_testable, rows, days } = trial;
  return (
    <>
      <Facts facts={trialFacts(trial)} />
      <h3>Decisions that would change</h3>
      {flips.length === 0 ? (
        <p class="muted">None</p>
      ) : (
        <ul class="flips">
          {flips.map((flip) => (
            <li key={flip.from + flip.to}>{flipText(flip)}</li>
          ))}
        </ul>
      )}
      {not_testable.length > 0 && (
        <p class="banner">
          Upper bounds: past traffic does not hold <code>{not_testable.join(', ')}</code>.
        </p>
      )}
      {examples.length > 0 && (
        <details>
          <summary>Examples</summary>
          <ul class="examples">
            {examples.slice(0, MOST_EXAMPLES).map((id) => (
              <li key={id}>
                <code>{id}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="muted">
        An estimate from {wholeNumber(rows)} stored screenings of {plural(Math.max(1, Math.round(days)), 'day')}.
      </p>
    </>
  );
}

/** What the rule in the editor would have done to past traffic. */
export function RuleTrialPanel({ isEmpty }: { readonly isEmpty: boolean }) {
  const { data, failure, isLoading } = trialView.value;
  const isRefused = failure?.kind === 'refused';
  return (
    <Panel title="Backtest" class="rule-trial" aside={<span class="muted">{isLoading ? 'Testing…' : ''}</span>}>
      <div aria-busy={isLoading}>
        {isEmpty && <p class="muted">Write a condition to see what it would have done in the last 30 days.</p>}
        {!isEmpty && !data && isLoading && <Skeleton lines={4} label="Testing the rule" />}
        {!isEmpty && !data && isRefused && <p class="muted">The condition cannot be tested yet.</p>}
        {!isEmpty && !data && failure && !isRefused && (
          <p class="problem">The test failed. Change the rule to retry.</p>
        )}
        {!isEmpty && data && isRefused && <p class="muted">Of the last condition that could be tested:</p>}
        {!isEmpty && data && <Result trial={data} />}
      </div>
    </Panel>
  );
}
