import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface PanelProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A titled part of a page; a landmark of its own for those who jump between them. */
export function Panel({ title, aside, children, class: className = '' }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${className}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
