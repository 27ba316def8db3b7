import type { Decision } from '../api/types';
import { supposedText } from '../text/words';

/** What would have led to a milder decision; nothing if nothing would. */
export function WhatIf({ decision }: { readonly decision: Decision }) {
  const { what_if = [] } = decision.explanation;
  if (what_if.length === 0) return null;
  return (
    <div class="what-if">
      <h3>Would have been</h3>
      <ul>
        {what_if.map((each) => {
          const text = supposedText(each, decision.currency ?? '');
          return <li key={text}>{text}</li>;
        })}
      </ul>
    </div>
  );
}
