import type { RuleBody } from '../api/types';

const ACTIONS: ReadonlyArray<readonly [action: RuleBody['action'], label: string]> = [
  ['review', 'Hold for review'],
  ['block', 'Block'],
  ['challenge', 'Challenge (second factor)'],
  ['allow', 'Allow'],
  ['points', 'Add points to the score'],
];

interface RuleFieldsProps {
  readonly body: RuleBody;
  readonly isReadOnly: boolean;
  change(part: Partial<RuleBody>): void;
}

const dayOf = (iso: string | null): string => iso?.slice(0, 10) ?? '';

/** What a rule does, and everything else about it but the condition. */
export function RuleFields({ body, isReadOnly, change }: RuleFieldsProps) {
  const { action, points, priority, note, expires_at, override_labels } = body;
  return (
    <fieldset class="rule-fields" disabled={isReadOnly}>
      <legend class="hidden">What the rule does</legend>
      <label>
        Action
        <select
          value={action}
          onChange={({ currentTarget: { value } }) => {
            const chosen = value as RuleBody['action'];
            change({ action: chosen, points: chosen === 'points' ? 10 : null, override_labels: false });
          }}
        >
          {ACTIONS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {action === 'points' && (
        <label>
          Points
          <input
            type="number"
            min={-50}
            max={50}
            required
            value={points ?? 0}
            onInput={(event) => change({ points: event.currentTarget.valueAsNumber || 0 })}
          />
        </label>
      )}
      <label>
        Priority
        <input
          type="number"
          min={0}
          max={999}
          required
          value={priority}
          onInput={(event) => change({ priority: event.currentTarget.valueAsNumber || 0 })}
        />
      </label>
      <label>
        Ends
        <input
          type="date"
          value={dayOf(expires_at)}
          onInput={({ currentTarget: { value } }) => change({ expires_at: value ? `${value}T00:00:00.000Z` : null })}
        />
      </label>
      <label class="wide-field">
        Note
        <input
          maxLength={500}
          autoComplete="off"
          value={note ?? ''}
          onInput={(event) => change({ note: event.currentTarget.value || null })}
        />
      </label>
      {action === 'allow' && (
        <label class="check wide-field">
          <input
            type="checkbox"
            checked={override_labels}
            onChange={(event) => change({ override_labels: event.currentTarget.checked })}
          />
          Also allow users, devices and cards with a confirmed fraud
        </label>
      )}
    </fieldset>
  );
}
