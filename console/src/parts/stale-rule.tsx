import type { Rule, RuleBody } from '../api/types';
import { bodyOf } from '../text/rule-body';
import { visible } from '../text/words';
import { RuleDiff } from './rule-history';

interface StaleRuleProps {
  readonly mine: RuleBody;
  /** Undefined if the rule was deleted. */
  readonly theirs: Rule | undefined;
  takeTheirs(theirs: Rule): void;
  keepMine(ontoVersion: number | undefined): void;
}

/** Somebody else saved the rule first: shows what differs, and lets the editor choose. */
export function StaleRule({ mine, theirs, takeTheirs, keepMine }: StaleRuleProps) {
  return (
    <div class="banner stale" role="alert">
      {theirs ? (
        <>
          <p>
            <b>{visible(theirs.updated_by)}</b> saved version {theirs.version} while you were editing. Yours was not
            saved; it is still here. Your changes to theirs:
          </p>
          <RuleDiff before={bodyOf(theirs)} after={mine} />
        </>
      ) : (
        <p>Somebody deleted this rule while you were editing. Yours was not saved; it is still here.</p>
      )}
      <div class="buttons">
        {theirs && (
          <button type="button" class="button" onClick={() => takeTheirs(theirs)}>
            Discard mine
          </button>
        )}
        <button type="button" class="button" onClick={() => keepMine(theirs?.version)}>
          {theirs ? 'Save mine over it' : 'Save it again'}
        </button>
      </div>
    </div>
  );
}
