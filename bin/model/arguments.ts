import { userInfo } from 'node:os';
import { type Cause, modelIn, type RegistryState } from '../../shared/domain/models/registry-state';
import type { ModelAdminWiring } from '../../shared/runtime/model-admin-wiring';
import { UsageError } from '../cli/command-line';

/** What was typed after the command. */
export interface Arguments {
  readonly words: readonly string[];
  readonly reason?: string | undefined;
  readonly out?: string | undefined;
  readonly open: boolean;
}

export interface Command {
  readonly usage: string;
  readonly does: string;
  readonly run: (deps: ModelAdminWiring, args: Arguments) => Promise<string>;
}

/** The word that a command cannot do without. */
export function need({ words }: Arguments, what: string): string {
  const [word] = words;
  if (!word) throw new UsageError(`Missing argument: ${what}. See npm run model -- help`);
  return word;
}

/** For the audit trail: who sits at the keyboard, and why. */
export const causeOf = ({ clock }: ModelAdminWiring, { reason }: Arguments): Cause => ({
  at: new Date(clock.now()).toISOString(),
  by: `${userInfo().username} at the command line`,
  reason: reason ?? 'no reason given',
});

/** The version that was named, or else the one on its way, or else the champion. */
export function versionOf(state: RegistryState, { words }: Arguments): string {
  const [word] = words;
  const version = word ?? (modelIn(state, 'shadow') ?? modelIn(state, 'champion') ?? state.models.at(-1))?.version;
  if (!version) throw new UsageError('The registry is empty; the base model is in use.');
  return version;
}
