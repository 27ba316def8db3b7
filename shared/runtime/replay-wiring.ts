import { memoryCounters } from '../store/memory/memory-counters';
import { memoryObjects } from '../store/memory/memory-objects';
import { memoryStore } from '../store/memory/memory-store';
import { modelRegistry } from '../store/models/model-registry';
import { loadIntelligence } from './intelligence-file';

/** Dependencies of a replay: the IP table next to the bundle, and empty stores in memory. */
export const replayWiring = (directory: string) => ({
  ips: loadIntelligence(directory),
  store: memoryStore(),
  counters: memoryCounters(),
});

export const emptyRegistry = () => modelRegistry(memoryObjects());
