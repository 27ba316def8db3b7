import { useSignal } from '@preact/signals';
import { ShieldIcon } from '../parts/icons';
import { PageHeading } from '../parts/page-heading';
import { signedOutBecause, signIn } from '../state/session';

const KEY_SHAPE = /^sk_(test|live)_[0-9A-Za-z]{38}$/;

/** Signing in: an API key, and a name for the audit trail. Neither outlives the page. */
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
        {problem.value && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
