import { type Pseudonyms, pseudonymsBy } from '../../domain/entities/pseudonyms';
import type { IntelligenceTable } from '../../domain/intelligence/intelligence-table';
import { EFFECTS, type EffectPorts } from '../../usecases/screening/effects';
import type { ScreenSubjectDeps } from '../../usecases/screening/screen-subject';
import { SOURCES, type SourcePorts } from '../../usecases/screening/sources';

/** Pseudonyms by a key that everyone knows, for histories that never reach a stage: replays, simulations and tests. */
export const PUBLIC_PSEUDONYMS: Pseudonyms = pseudonymsBy([new Uint8Array(32)]);

/** Knows what it is given, and nothing else of addresses and domains. */
export function standInIntelligence(known: Partial<IntelligenceTable> = {}): ScreenSubjectDeps['intelligence'] {
  const nothing = { description: { version: 'none', sources: [] }, lookup: () => undefined, email: () => undefined };
  const table: IntelligenceTable = { ...nothing, ...known };
  return { current: () => table };
}

type StandIns = Omit<ScreenSubjectDeps, 'clock' | 'newUlid'>;

function portsOfParts(): SourcePorts & EffectPorts {
  const merged: Record<string, object> = {};
  for (const { standIn } of [...SOURCES, ...EFFECTS])
    for (const [name, port] of Object.entries(standIn)) merged[name] = { ...merged[name], ...port };
  return merged as unknown as SourcePorts & EffectPorts;
}

/**
 * Dependencies of a screening that know and keep nothing, for replays, simulations and tests: each passes its own for what
 * it is about. Names are made by a public key, so no function may use them.
 */
export const SCREENING_STAND_INS: StandIns = {
  ...portsOfParts(),
  stage: 'production',
  pause: async () => undefined,
  intelligence: standInIntelligence(),
  pseudonyms: () => PUBLIC_PSEUDONYMS,
  observe: () => undefined,
};
