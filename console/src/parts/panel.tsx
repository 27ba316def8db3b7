import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Failure } from '../api/client';
import { InboxIcon, OfflineIcon, WarningIcon } from './icons';

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

/** The heading of a page: takes the focus when the page appears, so that a screen reader starts there. */
export function PageHeading({ children, quiet = false }: { children: ComponentChildren; quiet?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!quiet) heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [quiet]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

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

/** Grey bars in the shape of what is coming. */
export const Skeleton = ({ lines, label }: { lines: number; label: string }) => (
  <div class="skeleton" role="status">
    <span class="hidden">{label}</span>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} class="skeleton-line" />
    ))}
  </div>
);

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export const Empty = ({ title, children }: EmptyProps) => (
  <div class="state">
    <InboxIcon />
    <p class="state-title">{title}</p>
    <div class="state-text">{children}</div>
  </div>
);

const TITLES: Readonly<Record<Failure['kind'], string>> = {
  offline: 'Cannot reach the service',
  refused: 'The request was refused',
  broken: 'The service failed',
};

/** What failed, what to do about it, and the request id to quote when asking for help. */
export function Failed({ failure, retry }: { readonly failure: Failure; readonly retry: () => void }) {
  return (
    <div class="state" role="alert">
      {failure.kind === 'offline' ? <OfflineIcon /> : <WarningIcon />}
      <p class="state-title">{TITLES[failure.kind]}</p>
      <div class="state-text">
        <p>{failure.kind === 'offline' ? 'Check your connection. Your work is not lost.' : failure.message}</p>
        {failure.kind === 'broken' && failure.requestId && (
          <p>
            Request ID: <code>{failure.requestId}</code>
          </p>
        )}
      </div>
      <button type="button" class="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
