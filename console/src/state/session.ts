import { signal } from '@preact/signals';
import { listen, useKey } from '../api/client';
import { failureOf, hasCode } from '../api/failure';
import { getMe } from '../api/routes';
import type { Me } from '../api/types';

/** The signed-in analyst. The key is not part of it: only the API client holds that. */
export interface Session {
  readonly analystId: string;
  readonly stage: 'sandbox' | 'production';
  /** The key is this person's own: the service knows who decides, whatever a page says. */
  readonly isProven: boolean;
  /** What the key's role allows. */
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
export const isOnline = signal(navigator.onLine);

const stageOf = (key: string): Session['stage'] => (key.startsWith('sk_live_') ? 'production' : 'sandbox');

const NAME_MISSING = 'Enter your name. It is recorded with every decision you make.';

/** Asks whose key it is; returns what to change when it is refused. A personal key needs no name. */
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
    if (failure.kind === 'offline') return 'Cannot reach the service. Check your connection and try again.';
    return failure.message;
  }
  const analystId = me.person ?? name;
  if (!analystId) {
    useKey(undefined);
    return NAME_MISSING;
  }
  signedOutBecause.value = undefined;
  session.value = {
    analystId,
    stage: stageOf(key),
    isProven: me.person !== null,
    canResolve: me.permissions.includes('cases'),
    canCorrect: me.permissions.includes('decisions'),
    canSeeKeys: me.permissions.includes('keys'),
    canEditRules: me.permissions.includes('rules'),
    canAddEntries: me.permissions.includes('list_entries'),
    canMakeLists: me.permissions.includes('lists'),
    reasonCodes: me.reason_codes,
  };
  return undefined;
}

export function signOut(because?: string): void {
  useKey(undefined);
  signedOutBecause.value = because;
  session.value = undefined;
}

listen({
  unauthorized: () => {
    if (session.value) signOut('Your key is no longer valid. Sign in to continue where you left off.');
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
