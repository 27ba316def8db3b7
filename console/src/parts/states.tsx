import type { ComponentChildren } from 'preact';
import type { Failure } from '../api/failure';
import { InboxIcon, OfflineIcon, WarningIcon } from './icons';

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
