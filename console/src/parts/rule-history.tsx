import type { RuleBody } from '../api/types';
import { openVersions, versionsView } from '../state/rules';
import { bodyOf, changesBetween, wordDiff } from '../text/rule-body';
import { nameOf, visible } from '../text/words';
import { Panel } from './panel';
import { Failed, Skeleton } from './states';
import { Ago } from './time-left';

function ExpressionDiff({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <code class="diff">
      {wordDiff(before, after).map(({ kind, text }, at) => {
        const key = `${at} ${text}`;
        if (kind === 'gone') return <del key={key}>{text}</del>;
        return kind === 'new' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>;
      })}
    </code>
  );
}

/** What differs between two versions of a rule. */
export function RuleDiff({ before, after }: { readonly before: RuleBody; readonly after: RuleBody }) {
  const changes = changesBetween(before, after);
  if (changes.length === 0) return <p class="muted">No differences</p>;
  return (
    <dl class="changes">
      {changes.map(({ member, from, to }) => (
        <div key={member}>
          <dt>{nameOf(member)}</dt>
          <dd>
            {member === 'expression' ? (
              <ExpressionDiff before={from} after={to} />
            ) : (
              <>
                <del>{from}</del> → <ins>{to}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Every version of a rule with what it changed, newest first. */
export function RuleHistory({ name }: { readonly name: string }) {
  const { data, failure } = versionsView.value;
  const shown = data?.name === name ? data.versions : undefined;
  return (
    <Panel title={`History of ${name}`}>
      {!shown && failure && <Failed failure={failure} retry={() => void openVersions(name)} />}
      {!shown && !failure && <Skeleton lines={3} label="Loading the history" />}
      {shown && (
        <ol class="versions">
          {shown.map((version, at) => {
            const before = shown[at + 1];
            return (
              <li key={version.version}>
                <p>
                  <b>Version {version.version}</b>{' '}
                  <span class="muted">
                    by {visible(version.updated_by)}, <Ago since={version.updated_at} />
                  </span>
                </p>
                {before ? (
                  <RuleDiff before={bodyOf(before)} after={bodyOf(version)} />
                ) : (
                  <code class="diff">{version.expression}</code>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </Panel>
  );
}
