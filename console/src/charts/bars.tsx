import type { ComponentChildren } from 'preact';
import { asPercent } from '../../../shared/charts/axes';

export interface Bar {
  readonly label: string;
  /** 0 to 1: how long the bar is. */
  readonly share: number;
  /** 0 to 1: how much of the bar is filled with the stronger colour. */
  readonly inner?: number;
  readonly value: ComponentChildren;
  readonly more?: string | undefined;
}

export const Bars = ({ bars, class: className = '' }: { readonly bars: readonly Bar[]; readonly class?: string }) => (
  <ol class={`bars ${className}`}>
    {bars.map(({ label, share, inner = 0, value, more }) => (
      <li key={label}>
        <span class="bar-label">{label}</span>
        <span class="bar-value">{value}</span>
        <svg aria-hidden="true">
          <rect class="track" width="100%" height="100%" rx="2" />
          <rect class="outer" width={asPercent(share)} height="100%" rx="2" />
          <rect class="inner" width={asPercent(share * inner)} height="100%" rx="2" />
        </svg>
        {more && <span class="bar-more">{more}</span>}
      </li>
    ))}
  </ol>
);
