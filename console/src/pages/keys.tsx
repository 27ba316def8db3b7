import { useEffect } from 'preact/hooks';
import type { ApiKey } from '../api/types';
import { Empty, Failed, PageHeading, Skeleton, WideTable } from '../parts/panel';
import { keysView, openKeys } from '../state/loadable';
import { now } from '../state/page';
import { fullTime, sentence, timeAgo, visible } from '../text/words';

const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;

function KeyStatus({ of: { revoked_at, expires_at } }: { readonly of: ApiKey }) {
  const left = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - now.value;
  if (revoked_at !== null) return <span class="status">Revoked {fullTime(revoked_at)}</span>;
  if (left <= 0) return <span class="status">Expired</span>;
  if (expires_at === null) return <span class="status approved">Valid</span>;
  return (
    <span class="standing">
      <span class={`status ${left < SOON_MS ? 'open' : 'approved'}`}>{left < SOON_MS ? 'Expires soon' : 'Valid'}</span>
      <span class="muted">until {fullTime(expires_at)}</span>
    </span>
  );
}

export function KeysPage() {
  useEffect(() => {
    void openKeys();
  }, []);
  const { data: keys, failure } = keysView.value;
  return (
    <div class="page">
      <div class="page-head">
        <PageHeading>Keys</PageHeading>
      </div>
      <div class="panel">
        <p class="muted explained">
          Create and revoke keys with <code>npm run admin -- keys</code>. A personal key proves who decided.
        </p>
        {failure && !keys && <Failed failure={failure} retry={() => void openKeys()} />}
        {!failure && !keys && <Skeleton lines={4} label="Loading keys" />}
        {keys && keys.length === 0 && <Empty title="No keys" />}
        {keys && keys.length > 0 && (
          <WideTable
            label="Keys"
            region="entry-table decisions"
            columns={['Name', 'Role', 'State', 'Last used', 'Created']}
            rows={keys.map((key) => [
              key.key_id,
              <>
                <b>{visible(key.name)}</b>
                <br />
                <code class="muted">{key.hint}</code>
              </>,
              <>
                {sentence(key.role)}
                {key.person !== null && <span class="muted"> (personal)</span>}
              </>,
              <KeyStatus of={key} />,
              key.last_used_at === null ? 'Never' : timeAgo(key.last_used_at, now.value),
              fullTime(key.created_at),
            ])}
          />
        )}
      </div>
    </div>
  );
}
