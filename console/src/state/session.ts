import { signal } from '@preact/signals';
import { listen, useKey } from '../api/client';
import { failureOf, hasCode } from '../api/failure';
import { listCases } from '../api/routes';

/** The signed-in analyst. The key is not part of it: only the API client holds that. */
export interface Session {
  readonly analystId: string;
  readonly stage: 'sandbox' | 'production';
}

export const session = signal<Session | undefined>(undefined);
/** Why the analyst was signed out, unless they signed out themselves. */
export const signedOutBecause = signal<string | undefined>(undefined);
export const isOnline = signal(navigator.onLine);

const stageOf = (key: string): Session['stage'] => (key.startsWith('sk_live_') ? 'production' : 'sandbox');

/** Tries the key with a cheap call; returns what to change when it is refused. */
export async function signIn(key: string, analystId: string): Promise<string | undefined> {
  useKey(key);
  try {
    await listCases({ status: 'open', limit: 1 });
  } catch (error) {
    useKey(undefined);
    const failure = failureOf(error);
    signedOutBecause.value = undefined;
    if (hasCode(failure, 'unauthorized')) return 'Unknown key. Use an sk_test_ or sk_live_ key from this deployment.';
    if (failure.kind === 'offline') return 'Cannot reach the service. Check your connection and try again.';
    return failure.message;
  }
  signedOutBecause.value = undefined;
  session.value = { analystId, stage: stageOf(key) };
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
