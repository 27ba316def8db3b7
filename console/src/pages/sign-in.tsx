import { useSignal } from '@preact/signals';
import { provider } from '../api/provider';
import { PageHeading, Problem, ShieldIcon } from '../parts/panel';
import { signedOutBecause, signIn, signInAtProvider } from '../state/session';

const KEY_SHAPE = /^sk_(test|live)_[0-9A-Za-z]{38}$/;

/** Shown while a sign-in at the provider is being finished, usually for a moment. */
export function ResumingPage() {
  return (
    <main class="sign-in">
      <div class="panel" role="status">
        <ShieldIcon />
        <PageHeading>Review console</PageHeading>
        <p>Signing in…</p>
      </div>
    </main>
  );
}

/** Signing in: at the provider, or with an API key and a name for the audit trail, neither of which outlives the page. */
export function SignInPage() {
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const key = String(fields.get('key')).trim();
    const analyst = String(fields.get('analyst')).trim();
    if (!analyst && !key) problem.value = 'Enter your name. It is recorded with every decision you make.';
    else if (!KEY_SHAPE.test(key))
      problem.value = 'An API key starts with sk_test_ or sk_live_ and is 46 characters long.';
    else {
      isBusy.value = true;
      problem.value = await signIn(key, analyst);
      isBusy.value = false;
    }
  };

  const leave = async (): Promise<void> => {
    isBusy.value = true;
    problem.value = await signInAtProvider();
    isBusy.value = problem.value === undefined;
  };

  return (
    <main class="sign-in">
      <form class="panel" onSubmit={(event) => void submit(event)} autoComplete="off" noValidate>
        <ShieldIcon />
        <PageHeading>Review console</PageHeading>
        {signedOutBecause.value && (
          <p class="banner" role="status">
            {signedOutBecause.value}
          </p>
        )}
        {provider && (
          <>
            <button type="button" class="button primary" disabled={isBusy.value} onClick={() => void leave()}>
              Sign in with your organization
            </button>
            <p class="or">or with an API key</p>
          </>
        )}
        <label>
          Your name
          <input name="analyst" maxLength={128} autoComplete="off" spellcheck={false} />
          <small>Recorded with every decision you make. Not needed with a personal key.</small>
        </label>
        <label>
          API key
          <input name="key" type="password" required autoComplete="off" spellcheck={false} />
          <small>Kept in memory only. Reloading the page signs you out.</small>
        </label>
        <Problem>{problem.value}</Problem>
        <button type="submit" class={provider ? 'button' : 'button primary'} disabled={isBusy.value}>
          {isBusy.value ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
