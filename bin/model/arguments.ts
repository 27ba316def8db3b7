import { userInfo } from 'node:os';
import { type Given, UsageError } from '../../shared/cli/command-line';
import type { Command } from '../../shared/cli/command-table';
import { type Cause, modelIn, type RegistryState } from '../../shared/domain/models/registry-state';
import type { ModelAdminWiring } from '../../shared/runtime/model-admin-wiring';

export type ModelCommand = Command<ModelAdminWiring>;

/** For the audit trail: who runs the command, and why. */
export const causeOf = ({ clock }: ModelAdminWiring, { texts }: Given, otherwise = 'no reason given'): Cause => ({
  at: new Date(clock.now()).toISOString(),
  by: `${userInfo().username} at the command line`,
  reason: texts.reason ?? otherwise,
});

/** The given version, else the model in shadow, else the champion, else the newest. */
export function versionOf(state: RegistryState, { words }: Given): string {
  const [word] = words;
  const version = word ?? (modelIn(state, 'shadow') ?? modelIn(state, 'champion') ?? state.models.at(-1))?.version;
  if (!version) throw new UsageError('The registry is empty; the base model is in use.');
  return version;
}
