import { signal } from '@preact/signals';
import { type Failure, failureOf, hasCode, listen, useKey, useTokens } from '../api/client';
import {
  forgetTokens,
  freshToken,
  hasTokens,
  leaveToSignIn,
  leaveToSignOut,
  provider,
  returnFromSignIn,
} from '../api/provider';
import { getMe } from '../api/routes';
import type { Me } from '../api/types';

/** The signed-in analyst. The key is not part of it: only the API client holds that. */
export interface Session {
  readonly analystId: string;
  readonly stage: 'sandbox' | 'production';
  /** The key or token is this person's own: the service knows who decides, regardless of what a page sends. */
  readonly isProven: boolean;
  readonly isByProvider: boolean;
  readonly canResolve: boolean;
  readonly canCorrect: boolean;
  readonly canSeeKeys: boolean;
  readonly canEditRules: boolean;
  readonly canAddEntries: boolean;
  readonly canMakeLists: boolean;
  readonly reasonCodes: readonly string[];
}

export const session = signal<Session | undefined>(undefined);
/** Why the analyst was signed out, unless they signed out themselves. */
export const signedOutBecause = signal<string | undefined>(undefined);
/** A sign-in at the provider is being finished or resumed: neither the form nor the pages are right meanwhile. */
export const isResuming = signal(false);
export const isOnline = signal(navigator.onLine);

const stageOf = (key: string): Session['stage'] => (key.startsWith('sk_live_') ? 'production' : 'sandbox');

const NAME_MISSING = 'Enter your name. It is recorded with every decision you make.';

/** Looks up the key's owner; returns advice when it is refused. A personal key needs no name. */
export async function signIn(key: string, name: string): Promise<string | undefined> {
  useKey(key);
  let me: Me;
  try {
    me = await getMe();
  } catch (error) {
    useKey(undefined);
    const failure = failureOf(error);
    signedOutBecause.value = undefined;
    if (hasCode(failure, 'unauthorized')) return 'Unknown key. Use an sk_test_ or sk_live_ key from this deployment.';
    return failure.message;
  }
  const analystId = me.person ?? name;
  if (!analystId) {
    useKey(undefined);
    return NAME_MISSING;
  }
  signedOutBecause.value = undefined;
  session.value = sessionOf(me, { analystId, stage: stageOf(key), isByProvider: false });
  return undefined;
}

function sessionOf(me: Me, who: Pick<Session, 'analystId' | 'stage' | 'isByProvider'>): Session {
  return {
    ...who,
    isProven: me.person !== null,
    canResolve: me.permissions.includes('cases'),
    canCorrect: me.permissions.includes('decisions'),
    canSeeKeys: me.permissions.includes('keys'),
    canEditRules: me.permissions.includes('rules'),
    canAddEntries: me.permissions.includes('list_entries'),
    canMakeLists: me.permissions.includes('lists'),
    reasonCodes: me.reason_codes,
  };
}

function signInProblem(failure: Failure): string {
  if (hasCode(failure, 'unauthorized'))
    return 'You are signed in, but have no access here. Ask an administrator for a role and an account.';
  return failure.message;
}

/** Goes to the provider's page; returns the problem if that is not possible. */
export async function signInAtProvider(): Promise<string | undefined> {
  if (!provider) return undefined;
  try {
    await leaveToSignIn(provider);
    return undefined;
  } catch (error) {
    return signInProblem(failureOf(error));
  }
}

/** Finishes the sign-in that this page was opened for, or resumes the one that a reload interrupted. */
export async function resume(): Promise<void> {
  const at = provider;
  if (!at) return;
  isResuming.value = true;
  try {
    if (!(await returnFromSignIn(at)) && !hasTokens()) return;
    useTokens(() => freshToken(at));
    const me = await getMe();
    session.value = sessionOf(me, { analystId: me.person ?? '', stage: at.stage, isByProvider: true });
  } catch (error) {
    // A reload without a connection must not sign anybody out.
    const failure = failureOf(error);
    if (failure.kind === 'refused') forgetTokens();
    useKey(undefined);
    signedOutBecause.value = signInProblem(failure);
  } finally {
    isResuming.value = false;
  }
}

/** Ends the session here; one that the analyst ends also ends at the provider. */
export function signOut(because?: string): void {
  if (session.value?.isByProvider && provider) {
    if (because) forgetTokens();
    // Without a connection the tokens of this tab are forgotten all the same.
    else void leaveToSignOut(provider).catch(() => undefined);
  }
  useKey(undefined);
  signedOutBecause.value = because;
  session.value = undefined;
}

listen({
  unauthorized: () => {
    if (!session.value) return;
    const ended = session.value.isByProvider ? 'Your sign-in has ended.' : 'Your key is no longer valid.';
    signOut(`${ended} Sign in to continue where you left off.`);
  },
  reachable: (reachable) => {
    isOnline.value = reachable;
  },
});
addEventListener('online', () => {
  isOnline.value = true;
});
addEventListener('offline', () => {
  isOnline.value = false;
});
