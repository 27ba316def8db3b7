import { useSignal } from '@preact/signals';
import { type ComponentChildren, h, type JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { type Failure, hasCode } from '../api/client';
import { isHelpOpen, shortcutsOn } from '../state/page';

/* Drawn on a 16 × 16 grid; always next to words or inside something that is labelled. */

const icon =
  (path: string, isFilled = false) =>
  (): JSX.Element => (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      {isFilled ? <path d={path} fill="currentColor" /> : <path d={path} />}
    </svg>
  );

export const ShieldIcon = icon('M8 1.5 3 3.5v4c0 3.4 2.1 5.8 5 7 2.9-1.2 5-3.6 5-7v-4zM5.7 8l1.7 1.7 3-3.4');
export const CheckIcon = icon('m3 8.5 3.2 3.2L13 4.8');
export const CrossIcon = icon('m4 4 8 8m0-8-8 8');
export const NextIcon = icon('M3 8h10M9 4l4 4-4 4');
export const UndoIcon = icon('M5.5 3 2.5 6l3 3M3 6h6a4 4 0 0 1 0 8H6');
export const SunIcon = icon(
  'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3',
);
export const MoonIcon = icon('M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z');
export const ScreenIcon = icon('M2 3h12v8H2zM6 14h4M8 11v3');
export const HelpIcon = icon(
  'M6 6.2A2 2 0 1 1 8.8 8C8.2 8.3 8 8.7 8 9.5M8 12v.1M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Z',
);
export const LeaveIcon = icon('M6 2.5H3v11h3M7 8h7M11 5l3 3-3 3');
export const BackIcon = icon('M13 8H3M7 4 3 8l4 4');
export const RefreshIcon = icon('M13.5 8A5.5 5.5 0 1 1 11.7 4M12 1.5V4.5H9');
export const WarningIcon = icon('M8 2 1.5 13.5h13zM8 6.5v3M8 11.5v.1');
export const InboxIcon = icon('M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.5l1 2h3l1-2H14');
const UserIcon = icon('M8 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14c.6-2.6 2.8-4 5.5-4s4.9 1.4 5.5 4');
const DeviceIcon = icon('M4.5 1.5h7v13h-7zM7.5 12.5h1');
const CardIcon = icon('M1.5 3.5h13v9h-13zM1.5 6.5h13M4 10h3');
const MailIcon = icon('M1.5 3.5h13v9h-13zM2 4l6 5 6-5');
const PhoneIcon = icon('M5 1.5 2.5 3c0 6 4.5 10.5 10.5 10.5L14.5 11l-3-2-1.5 1.5C8 9.5 6.5 8 5.5 6L7 4.5z');
const NetworkIcon = icon(
  'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM1.5 8h13M8 1.5c2 2 2.5 4 2.5 6.5S10 12.5 8 14.5C6 12.5 5.5 10.5 5.5 8S6 3.5 8 1.5',
);
const TagIcon = icon('M2 2h5.5L14 8.5 8.5 14 2 7.5zM5 5v.1');

const NODE_ICONS: Readonly<Record<string, () => JSX.Element>> = {
  user: UserIcon,
  device: DeviceIcon,
  ip_address: NetworkIcon,
  'attribute:card_fingerprint': CardIcon,
  'attribute:card_bin': CardIcon,
  'attribute:email': MailIcon,
  'attribute:phone': PhoneIcon,
};

export const NodeIcon = ({ type }: { readonly type: string }) => (NODE_ICONS[type] ?? TagIcon)();

export const OfflineIcon = icon(
  'M2 2l12 12M4.5 8.5a5 5 0 0 1 2-1.2M9.8 7.4a5 5 0 0 1 1.7 1.1M2.5 6A8 8 0 0 1 5 4.4M8 3.5a8 8 0 0 1 5.5 2.5M8 12v.1',
);

interface PanelProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A titled part of a page, and a landmark for screen readers. */
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

/** An error message, read out as it appears. */
export const Problem = ({ children }: { readonly children: ComponentChildren }) =>
  children ? (
    <p class="problem" role="alert">
      {children}
    </p>
  ) : null;

interface TableProps {
  readonly columns: readonly ComponentChildren[];
  /** Each with its key and its cells, of which the first names the row. */
  readonly rows: ReadonlyArray<readonly [key: string, ...cells: ComponentChildren[]]>;
  readonly class?: string;
}

export const Table = ({ columns, rows, class: className = '' }: TableProps) => (
  <table class={className}>
    <thead>{h('tr', null, ...columns.map((column) => h('th', { scope: 'col' }, column)))}</thead>
    <tbody>
      {rows.map(([key, name, ...cells]) =>
        h('tr', { key }, h('th', { scope: 'row' }, name), ...cells.map((cell) => h('td', null, cell))),
      )}
    </tbody>
  </table>
);

interface WideTableProps extends TableProps {
  readonly label: string;
  readonly region?: string;
}

export const WideTable = ({ label, region = 'entry-table', ...table }: WideTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section class={region} tabIndex={0} aria-label={label}>
    <Table {...table} />
  </section>
);

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
  offline: 'No connection',
  refused: 'The request was refused',
  broken: 'The service failed',
};

/** The failure, what to do about it, and the request ID to quote when asking for help. */
export function Failed({ failure, retry }: { readonly failure: Failure; readonly retry: () => void }) {
  return (
    <div class="state" role="alert">
      {failure.kind === 'offline' ? <OfflineIcon /> : <WarningIcon />}
      <p class="state-title">{TITLES[failure.kind]}</p>
      <div class="state-text">
        <p>{failure.message}</p>
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

const KEYS: ReadonlyArray<readonly [key: string, does: string]> = [
  ['j', 'Next case in the list'],
  ['k', 'Previous case in the list'],
  ['x', 'Select the case, to decide several at once'],
  ['Enter', 'Open the case'],
  ['/', 'Find an order, a user, a signal or an ID'],
  ['a', 'Approve (legitimate)'],
  ['r', 'Reject (fraud)'],
  ['m', 'Write notes (Esc to leave)'],
  ['c', 'Write a comment (Esc to leave)'],
  ['n', 'Next open case'],
  ['u', 'Undo the last decision before it is sent'],
  ['q', 'Queue (or Esc from a case)'],
  ['d', 'Decisions'],
  ['o', 'Overview'],
  ['w', 'Who the user of a case is connected with'],
  ['l', 'Lists'],
  ['e', 'Rules'],
  ['f', 'Definitions'],
  ['?', 'Show this help'],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      {isOpen && (
        <>
          <h2 id="help-title">Keyboard shortcuts</h2>
          <dl>
            {KEYS.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd class="key">{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <label class="check">
            <input
              type="checkbox"
              checked={shortcutsOn.value}
              onChange={(event) => {
                shortcutsOn.value = event.currentTarget.checked;
              }}
            />
            Enable keyboard shortcuts
          </label>
          <button type="button" class="button" onClick={close}>
            Close
          </button>
        </>
      )}
    </dialog>
  );
}

interface OpeningProps {
  readonly noun: 'case' | 'decision';
  readonly failure: Failure | undefined;
  readonly retry: () => void;
}

/** Stands for a case or a decision while it loads, and if it cannot be shown. */
export function Opening({ noun, failure, retry }: OpeningProps) {
  const title = noun === 'case' ? 'Case' : 'Decision';
  return (
    <>
      <PageHeading>{title}</PageHeading>
      {!failure && <Skeleton lines={10} label={`Loading the ${noun}`} />}
      {failure && !hasCode(failure, 'not_found') && <Failed failure={failure} retry={retry} />}
      {failure && hasCode(failure, 'not_found') && (
        <Empty title={`No such ${noun}`}>
          <p>{`This account has no ${noun} with this ID. ${title}s are kept for 90 days.`}</p>
        </Empty>
      )}
    </>
  );
}
