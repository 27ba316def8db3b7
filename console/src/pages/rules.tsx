import { useEffect } from 'preact/hooks';
import type { Rule } from '../api/types';
import { Empty, Failed, PageHeading, Panel, Skeleton } from '../parts/panel';
import { RuleEditor } from '../parts/rule-editor';
import { RuleHistory, RuleRollout } from '../parts/rule-rollout';
import { addressOf } from '../state/route';
import { openRules, openVersions, precisionKey, precisions, recipe, rulesView } from '../state/rules';
import { session } from '../state/session';
import { actionText, FRESH_RULE, matchesText, precisionText, RECIPES, stateText } from '../text/rule-words';

function ListOfRules({ rules, open }: { readonly rules: readonly Rule[]; readonly open: string | undefined }) {
  return (
    <ul class="lists">
      {rules.map((rule) => {
        const precision = precisions.value[precisionKey(rule)];
        return (
          <li key={rule.name}>
            <a
              href={addressOf({ page: 'rules', rule: rule.name })}
              {...(rule.name === open ? { 'aria-current': 'true' } : {})}
            >
              <span class="rule-line">
                <span class="list-name">{rule.name}</span>
                <span class={`status ${rule.state}`}>{stateText(rule)}</span>
              </span>
              <span class="list-facts">
                {actionText(rule)} · {matchesText(rule)}
                {precision !== undefined && ` · ${precisionText(precision)}`}
              </span>
              {rule.note && <span class="list-note">{rule.note}</span>}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function Recipes() {
  // A rule that was begun from a recipe is not where the next one starts.
  useEffect(
    () => () => {
      recipe.value = undefined;
    },
    [],
  );
  return (
    <Panel title="Begin with a recipe">
      <div class="recipes">
        {RECIPES.map(([name, does, rule]) => (
          <button
            key={name}
            type="button"
            class="button"
            title={rule.expression}
            onClick={() => {
              recipe.value = { name, body: { ...FRESH_RULE, ...rule, note: does } };
            }}
          >
            {does}
          </button>
        ))}
      </div>
      <p class="muted">It is saved as a draft, which changes nothing until you roll it out.</p>
    </Panel>
  );
}

function OpenRule({ rule }: { readonly rule: Rule | undefined }) {
  useEffect(() => {
    if (rule) void openVersions(rule.name);
  }, [rule?.name]);
  return (
    <div>
      {rule && <RuleRollout key={`rollout ${rule.name}`} rule={rule} />}
      {!rule && <Recipes />}
      <RuleEditor key={rule?.name ?? `new ${recipe.value?.name ?? ''}`} rule={rule} />
      {rule && <RuleHistory rule={rule} />}
    </div>
  );
}

export function RulesPage({ open, isNew }: { readonly open: string | undefined; readonly isNew: boolean }) {
  useEffect(() => {
    void openRules();
  }, []);
  const { data: rules, failure } = rulesView.value;
  const canEdit = session.value?.canEditRules === true;
  const rule = isNew ? undefined : (rules?.find(({ name }) => name === open) ?? (open ? undefined : rules?.[0]));
  const isWriting = canEdit && (isNew || rules?.length === 0);
  return (
    <div class="page">
      <div class="page-head">
        <PageHeading>Rules</PageHeading>
        {canEdit && (
          <a class="button primary" href={addressOf({ page: 'rules', isNew: true })}>
            New rule
          </a>
        )}
      </div>
      {failure && <Failed failure={failure} retry={() => void openRules()} />}
      {!failure && !rules && <Skeleton lines={3} label="Loading rules" />}
      {rules && !rule && !isWriting && (
        <Empty title={open ? `No rule named ${open}` : 'No rules yet'}>
          <p>
            {canEdit
              ? 'Choose one of the rules, or write a new one.'
              : 'An administrator’s key can write the first one.'}
          </p>
        </Empty>
      )}
      {rules && (
        <div class="lists-columns">
          <ListOfRules rules={rules} open={rule?.name} />
          {(rule || isWriting) && <OpenRule rule={rule} />}
        </div>
      )}
    </div>
  );
}
