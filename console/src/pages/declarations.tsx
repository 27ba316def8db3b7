import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { Declarations } from '../api/types';
import { Empty, Failed, PageHeading, Panel, Skeleton } from '../parts/panel';
import { declarationsView, openDeclarations, removeDeclaration, saveDeclaration } from '../state/declarations';
import { addressOf, DECLARATION_KINDS, type DeclarationKind, goTo } from '../state/route';
import { session } from '../state/session';
import { bodyOf, type Declared, type Field, KIND_WORDS, nameOf, type Typed, typedOf } from '../text/declaration-words';
import { fullTime, visible } from '../text/words';

interface OpenProps {
  readonly kind: DeclarationKind;
  readonly one: Declared | undefined;
}

const isOwn = (one: Declared): boolean => !('built_in' in one && one.built_in);

function ListOfKind({
  kind,
  all,
  open,
}: {
  kind: DeclarationKind;
  all: readonly Declared[];
  open: Declared | undefined;
}) {
  const { title, noun, facts } = KIND_WORDS[kind];
  const own = all.filter(isOwn);
  const builtIn = all.filter((one) => !isOwn(one)).map(nameOf);
  const id = useId();
  return (
    <section class="kind" aria-labelledby={id}>
      <div class="kind-head">
        <h2 id={id}>{title}</h2>
        {session.value?.canEditRules === true && (
          <a class="button small" href={addressOf({ page: 'declarations', kind, isNew: true })}>
            New {noun}
          </a>
        )}
      </div>
      {builtIn.length > 0 && <p class="muted">Built in: {builtIn.join(', ')}.</p>}
      {own.length === 0 && <p class="muted">None of your own yet.</p>}
      <ul class="lists">
        {own.map((one) => (
          <li key={nameOf(one)}>
            <a
              href={addressOf({ page: 'declarations', kind, name: nameOf(one) })}
              {...(one === open ? { 'aria-current': 'true' } : {})}
            >
              <span class="list-name">{visible(nameOf(one))}</span>
              <span class="list-facts">{visible(facts(one as never))}</span>
              {one.note && <span class="list-note">{visible(one.note)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface InputProps {
  readonly field: Field;
  readonly typed: Typed;
  change(value: string | boolean): void;
}

function Input({ field, typed, change }: InputProps) {
  const id = useId();
  const { member, label, as, options = {}, hint, isRequired = false } = field;
  const value = typed[member];
  if (as === 'check') {
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />
        {label}
      </label>
    );
  }
  const common = {
    ...{ id, value: String(value), required: isRequired, autoComplete: 'off', spellcheck: false },
    ...(hint ? { 'aria-describedby': `${id}-hint` } : {}),
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => change(event.currentTarget.value),
  };
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {as === 'choice' ? (
        <select id={id} value={String(value)} onChange={(event) => change(event.currentTarget.value)}>
          {Object.entries(options).map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      ) : as === 'number' ? (
        <input {...common} type="number" min={0} max={100} step={1} />
      ) : (
        <input {...common} maxLength={2_000} />
      )}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

function CounterFacts({ since, write_units, version }: Declarations['counters'][number]) {
  return (
    <p class="muted">
      Counting since {fullTime(since)}, version {version}. Each attempt that it counts costs {write_units} write unit
      {write_units === 1 ? '' : 's'}. A change of what is counted starts from zero.
    </p>
  );
}

function OpenDeclaration({ kind, one }: OpenProps) {
  const words = KIND_WORDS[kind];
  const canEdit = session.value?.canEditRules === true;
  const name = useSignal(one ? nameOf(one) : '');
  const typed = useSignal(typedOf(words, one));
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const isSaved = useSignal(false);

  const save = async (): Promise<void> => {
    problem.value = undefined;
    isBusy.value = true;
    problem.value = await saveDeclaration(kind, name.value, bodyOf(words, typed.value));
    isBusy.value = false;
    isSaved.value = problem.value === undefined;
    if (!one && isSaved.value) goTo({ page: 'declarations', kind, name: name.value }, true);
  };
  const remove = async (): Promise<void> => {
    if (!confirm(`Delete the ${words.noun} ${name.value}?`)) return;
    problem.value = await removeDeclaration(kind, name.value);
    if (problem.value === undefined) goTo({ page: 'declarations' });
  };

  return (
    <Panel title={one ? visible(nameOf(one)) : `New ${words.noun}`}>
      <p class="muted explained">{words.about}</p>
      <form
        class="list-add"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <fieldset class="list-add" disabled={!canEdit}>
          <legend class="hidden">What it is</legend>
          {!one && (
            <label>
              {kind === 'attributes' ? 'Key' : 'Name'}
              <input
                value={name.value}
                pattern={words.pattern}
                title={words.rule}
                maxLength={64}
                required
                autoComplete="off"
                spellcheck={false}
                onInput={(event) => {
                  name.value = event.currentTarget.value;
                }}
              />
            </label>
          )}
          {words.fields
            .filter(({ isShown }) => isShown?.(typed.value) !== false)
            .map((field) => (
              <Input
                key={field.member}
                field={field}
                typed={typed.value}
                change={(value) => {
                  isSaved.value = false;
                  typed.value = { ...typed.value, [field.member]: value };
                }}
              />
            ))}
        </fieldset>
        {one && 'since' in one && <CounterFacts {...one} />}
        {problem.value && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        {canEdit && (
          <div class="buttons">
            <button type="submit" class="button primary" disabled={isBusy.value}>
              {isBusy.value ? 'Saving…' : 'Save'}
            </button>
            {one && (
              <button type="button" class="button" onClick={() => void remove()}>
                Delete
              </button>
            )}
            <span class="muted" role="status">
              {isSaved.value ? 'Saved' : ''}
            </span>
          </div>
        )}
      </form>
    </Panel>
  );
}

interface DeclarationsPageProps {
  readonly kind?: DeclarationKind | undefined;
  readonly name?: string | undefined;
  readonly isNew?: boolean | undefined;
}

export function DeclarationsPage({ kind, name, isNew }: DeclarationsPageProps) {
  useEffect(() => {
    void openDeclarations();
  }, []);
  const { data, failure } = declarationsView.value;
  const one = kind && data && ([...data[kind]] as Declared[]).find((each) => nameOf(each) === name && isOwn(each));
  const isWriting = kind !== undefined && isNew === true && session.value?.canEditRules === true;
  return (
    <div class="page">
      <PageHeading>Definitions</PageHeading>
      {failure && <Failed failure={failure} retry={() => void openDeclarations()} />}
      {!failure && !data && <Skeleton lines={3} label="Loading definitions" />}
      {data && (
        <div class="lists-columns">
          <div>
            {DECLARATION_KINDS.map((each) => (
              <ListOfKind key={each} kind={each} all={data[each]} open={one} />
            ))}
          </div>
          {kind && (one || isWriting) ? (
            <OpenDeclaration key={`${kind} ${name ?? ''}`} kind={kind} one={isWriting ? undefined : one} />
          ) : (
            <Empty title={name ? `Nothing named ${visible(name)}` : 'Attributes, event types and counters'}>
              <p>Choose one to see what it is, or declare a new one for your rules.</p>
            </Empty>
          )}
        </div>
      )}
    </div>
  );
}
