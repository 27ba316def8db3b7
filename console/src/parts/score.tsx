/** Where a score lies, for its colour; the number itself always stands beside it. */
export const bandOf = (score: number): 'low' | 'mid' | 'high' => (score >= 75 ? 'high' : score >= 50 ? 'mid' : 'low');

/** A score as a number over a short meter. */
export const Score = ({ value }: { value: number }) => (
  <span class={`score ${bandOf(value)}`}>
    <span class="hidden">Score </span>
    <b>{value}</b>
    <svg class="score-meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="4" />
      <rect class="fill" width={value} height="4" />
    </svg>
  </span>
);
