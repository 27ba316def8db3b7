import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { declaredNames } from '../state/declarations';
import { listNames } from '../state/rules';
import { completed, completions, type KnownName, type TypedWord, typedWord } from '../text/rule-words';

/** Filled in by the build, see lib/bundling/bundle-console.ts. */
declare const RULE_NAMES: readonly KnownName[];

const MAX_CHARACTERS = 2_000;

interface ExpressionBoxProps {
  readonly value: string;
  /** Why it is invalid; undefined while no fault is known. */
  readonly fault: string | undefined;
  readonly isReadOnly: boolean;
  change(text: string): void;
}

const knownNames = (): KnownName[] => [
  ...declaredNames(),
  ...RULE_NAMES,
  ...listNames.value.map((name) => ({
    name: /^\w+$/.test(name) ? `lists.${name}` : `lists["${name}"]`,
    type: 'list',
    description: 'one of your lists: user_id in …',
  })),
];

/** The text of a rule: completes names while typing, and shows faults below. */
export function ExpressionBox({ value, fault, isReadOnly, change }: ExpressionBoxProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const typed = useSignal<TypedWord | undefined>(undefined);
  const chosen = useSignal(0);
  const caretAfter = useSignal<number | undefined>(undefined);
  const found = typed.value === undefined ? [] : completions(knownNames(), typed.value.word);
  const selected = found[Math.min(chosen.value, found.length - 1)];

  useLayoutEffect(() => {
    if (caretAfter.value === undefined || !box.current) return;
    box.current.focus();
    box.current.setSelectionRange(caretAfter.value, caretAfter.value);
    caretAfter.value = undefined;
  }, [value]);

  const input = (text: string, caret: number): void => {
    chosen.value = 0;
    typed.value = typedWord(text, caret);
    change(text);
  };
  const take = (name: string): void => {
    if (typed.value === undefined) return;
    const { text, caret } = completed(value, typed.value, name);
    typed.value = undefined;
    caretAfter.value = caret;
    change(text);
  };
  const press = (event: KeyboardEvent): void => {
    if (found.length === 0) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: found.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) chosen.value = (chosen.value + step) % found.length;
    else if (event.key === 'Enter' && selected) take(selected.name);
    else if (event.key === 'Escape') typed.value = undefined;
    else return;
    event.preventDefault();
  };

  return (
    <div class="expression">
      <label htmlFor={id}>Condition</label>
      <textarea
        ref={box}
        id={id}
        rows={4}
        maxLength={MAX_CHARACTERS}
        value={value}
        readOnly={isReadOnly}
        required
        spellcheck={false}
        autoComplete="off"
        autoCapitalize="off"
        aria-autocomplete="list"
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault ${id}-hint`}
        {...(found.length > 0
          ? { 'aria-controls': `${id}-names`, 'aria-activedescendant': `${id}-${found.indexOf(selected as KnownName)}` }
          : {})}
        onInput={({ currentTarget: { value: text, selectionStart } }) => input(text, selectionStart)}
        onKeyDown={press}
        onBlur={() => {
          typed.value = undefined;
        }}
      />
      {found.length > 0 && (
        <div class="names" id={`${id}-names`} role="listbox" aria-label="Names" tabIndex={-1}>
          {found.map((each, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys work in the box, which keeps the focus.
            <div
              key={each.name}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={each === selected}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(each.name)}
            >
              <code>{each.name}</code> <span>{each.description}</span>
            </div>
          ))}
        </div>
      )}
      <p id={`${id}-fault`} class={fault === undefined ? 'hidden' : 'fault'} aria-live="polite">
        {fault ?? ''}
      </p>
      <small id={`${id}-hint`}>
        For example{' '}
        <code>
          amount {'>'} 200 && features.user_age_days {'<'} 1
        </code>
        . Names are completed as you type: arrows choose, Enter takes one.
      </small>
    </div>
  );
}
