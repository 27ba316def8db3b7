import { useSignal } from '@preact/signals';
import { type HTMLAttributes, h } from 'preact';
import type { LinkGraph } from '../api/types';
import { NodeIcon, WarningIcon, WideTable } from '../parts/panel';
import { userAddress } from '../state/route';
import { fullTime, linkName, plural } from '../text/words';
import { isCrowd, type LinkLayout, type LinkLine, type LinkNode, linkLayout, neighboursOf } from './link-layout';

const ROW = 38;

interface LinesProps {
  readonly lines: readonly LinkLine[];
  readonly rows: number;
  readonly active: string | undefined;
}

/** The lines between two columns: curves that leave and arrive level, which keeps them distinguishable where they cross. */
const Lines = ({ lines, rows, active }: LinesProps) => (
  <svg viewBox={`0 0 100 ${rows * ROW}`} preserveAspectRatio="none" aria-hidden="true">
    {lines.map(({ from, to, rows: [left, right], isOnPath }) => {
      const [y1, y2] = [(left + 0.5) * ROW, (right + 0.5) * ROW];
      const isActive = active === from || active === to;
      return (
        <path
          key={`${from} ${to}`}
          class={`${isOnPath ? 'on-path' : ''} ${isActive ? 'active' : ''}`}
          d={`M0 ${y1}C50 ${y1} 50 ${y2} 100 ${y2}`}
          vector-effect="non-scaling-stroke"
        />
      );
    })}
  </svg>
);

/** A node's description for somebody who does not see its position. */
function spoken(node: LinkNode, neighbours: readonly string[], nameOf: (id: string) => string): string {
  const crowd = isCrowd(node) ? ` ${plural(node.users, 'user')} share it, not followed` : '';
  const fraud = node.confirmed_fraud ? ', confirmed fraud' : '';
  const linked = neighbours.length > 0 ? `. Linked with ${neighbours.map(nameOf).join(', ')}` : '';
  return `${linkName(node)}${crowd}${fraud}${linked}`;
}

/** Moves the focus: up and down a column, left and right to what a node is linked with. */
function move(event: KeyboardEvent, neighbours: ReadonlyMap<string, readonly string[]>): void {
  const at = (event.target as HTMLElement).closest<HTMLElement>('[data-node]');
  const graph = at?.closest<HTMLElement>('.link-graph');
  if (!at || !graph) return;
  const columns = [...graph.querySelectorAll<HTMLElement>('ol')].map((column) => [
    ...column.querySelectorAll<HTMLElement>('[data-node]'),
  ]);
  const column = columns.findIndex((nodes) => nodes.includes(at));
  const row = columns[column]?.indexOf(at) ?? 0;
  const sideways = (by: 1 | -1): HTMLElement | undefined => {
    const linked = new Set(neighbours.get(at.dataset.node ?? ''));
    return columns[column + by]?.find(({ dataset }) => linked.has(dataset.node ?? ''));
  };
  const steps: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowUp: () => columns[column]?.[row - 1],
    ArrowDown: () => columns[column]?.[row + 1],
    ArrowLeft: () => sideways(-1),
    ArrowRight: () => sideways(1),
  };
  const next = steps[event.key]?.();
  if (!next) return;
  event.preventDefault();
  next.focus();
}

type NodeProps = HTMLAttributes<HTMLElement> & { readonly href?: string; readonly 'data-node': string };

/** A user is opened, anything else only pointed at. */
const Node = ({ href, ...rest }: NodeProps) =>
  href === undefined ? h('button', { type: 'button', ...rest }) : h('a', { href, ...rest });

interface ColumnProps {
  readonly label: string;
  readonly nodes: readonly LinkNode[];
  readonly layout: LinkLayout;
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  readonly active: { value: string | undefined };
}

function Column({ label, nodes, layout, neighbours, active }: ColumnProps) {
  const names = new Map([layout.user, ...layout.used, ...layout.others].map((node) => [node.id, linkName(node)]));
  const onPath = new Set(layout.path.map(({ id }) => id));
  const isNear = (id: string): boolean =>
    active.value === undefined || active.value === id || (neighbours.get(active.value) ?? []).includes(id);
  const point = (id: string | undefined) => () => {
    active.value = id;
  };
  return (
    <ol aria-label={label}>
      {nodes.map((node) => {
        const classes = [
          'link-node',
          node.confirmed_fraud ? 'fraud' : '',
          isCrowd(node) ? 'crowd' : '',
          onPath.has(node.id) ? 'on-path' : '',
          isNear(node.id) ? '' : 'far',
        ];
        return (
          <li key={node.id}>
            <Node
              {...(node.user_id === undefined || node.id === layout.user.id ? {} : { href: userAddress(node.user_id) })}
              class={classes.join(' ')}
              data-node={node.id}
              aria-label={spoken(node, neighbours.get(node.id) ?? [], (id) => names.get(id) ?? '')}
              title={isCrowd(node) ? `About ${plural(node.users, 'user')} share it: not followed` : linkName(node)}
              onFocus={point(node.id)}
              onBlur={point(undefined)}
              onPointerEnter={point(node.id)}
              onPointerLeave={point(undefined)}
            >
              <NodeIcon type={node.type} />
              <span class="link-label">{linkName(node)}</span>
              {node.confirmed_fraud && <WarningIcon />}
              {isCrowd(node) && <span class="link-users"> {plural(node.users, 'user')}</span>}
            </Node>
          </li>
        );
      })}
    </ol>
  );
}

/** Says why nobody is drawn next to an entity that a crowd shares. */
const crowdText = (crowds: readonly LinkNode[]): string =>
  crowds.length === 0
    ? 'Nobody else was seen with any of it.'
    : crowds.map((each) => `${plural(each.users - 1, 'other')} share ${linkName(each)}: too many to draw.`).join(' ');

function LinkTable({ layout }: { readonly layout: LinkLayout }) {
  const sinceOf = new Map(layout.own.map(({ to, since }) => [to, since]));
  const names = new Map(layout.others.map((node) => [node.id, node]));
  const othersOf = (id: string): string =>
    layout.shared
      .flatMap(({ from, to }) => (to === id ? (names.get(from) ?? []) : []))
      .map((other) => `${linkName(other)}${other.confirmed_fraud ? ' (confirmed fraud)' : ''}`)
      .join(', ');
  return (
    <WideTable
      label="Links, as rows"
      columns={['Used', 'Since', 'Users', 'Other users']}
      rows={layout.used.map((node) => [
        node.id,
        <>
          {linkName(node)} {node.confirmed_fraud && <span class="status rejected">Confirmed fraud</span>}
        </>,
        sinceOf.has(node.id) ? fullTime(String(sinceOf.get(node.id))) : '–',
        isCrowd(node) ? `about ${node.users}, not followed` : node.users,
        othersOf(node.id) || '–',
      ])}
    />
  );
}

function Nearest({ layout }: { readonly layout: LinkLayout }) {
  const { path, user } = layout;
  const steps = path.length - 1;
  if (steps < 1) {
    const own = user.confirmed_fraud ? 'This user has confirmed fraud. ' : '';
    return <p class="link-nearest">{own}No link to another confirmed fraud.</p>;
  }
  return (
    <p class="link-nearest near">
      <WarningIcon />
      <span>
        {steps === 1 ? 'Confirmed fraud on something this user used: ' : 'Linked with a confirmed fraud: '}
        {path.map((node, at) => (
          <span key={node.id}>
            {at > 0 && ' → '}
            <b>{linkName(node)}</b>
          </span>
        ))}
      </span>
    </p>
  );
}

export function LinkView({ graph, asTable }: { readonly graph: LinkGraph; readonly asTable: boolean }) {
  const active = useSignal<string | undefined>(undefined);
  const layout = linkLayout(graph);
  if (!layout || layout.used.length === 0) return <p class="muted">Nothing is known about what this user used.</p>;
  const neighbours = neighboursOf(graph);
  const rows = Math.max(layout.used.length, layout.others.length);
  const column = { layout, neighbours, active };
  return (
    <div class="links-view">
      <Nearest layout={layout} />
      {asTable ? (
        <LinkTable layout={layout} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the buttons inside.
        <div class={`link-graph ${active.value ? 'pointed' : ''}`} onKeyDown={(event) => move(event, neighbours)}>
          <Column label="The user" nodes={[layout.user]} {...column} />
          <Lines lines={layout.own} rows={rows} active={active.value} />
          <Column label="Used by this user" nodes={layout.used} {...column} />
          <Lines lines={layout.shared} rows={rows} active={active.value} />
          {layout.others.length > 0 ? (
            <Column label="Other users" nodes={layout.others} {...column} />
          ) : (
            <p class="muted">{crowdText(layout.used.filter(isCrowd))}</p>
          )}
        </div>
      )}
      {!asTable && layout.others.length > 0 && layout.used.some(isCrowd) && (
        <p class="muted">{crowdText(layout.used.filter(isCrowd))}</p>
      )}
      {graph.truncated && <p class="muted">More is known than is shown here.</p>}
    </div>
  );
}
