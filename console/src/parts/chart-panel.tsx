import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Panel } from './panel';

interface ChartPanelProps {
  readonly title: string;
  readonly class?: string;
  readonly children: (asTable: boolean) => ComponentChildren;
}

/** A panel whose chart can also be read as a table. */
export function ChartPanel({ title, class: className = '', children }: ChartPanelProps) {
  const asTable = useSignal(false);
  return (
    <Panel
      title={title}
      class={className}
      aside={
        <button
          type="button"
          class="button small"
          aria-pressed={asTable.value}
          aria-label={`${title} as a table`}
          onClick={() => {
            asTable.value = !asTable.value;
          }}
        >
          Table
        </button>
      }
    >
      {children(asTable.value)}
    </Panel>
  );
}
