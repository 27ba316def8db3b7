import { memoryObjects } from '../store/memory/memory-objects';
import { memoryStore } from '../store/memory/memory-store';
import { modelRegistry } from '../store/models/model-registry';
import { loadIpTable } from './ip-table-file';

/** What a replay screens with: the IP table next to the bundle, and an empty store in memory. */
export const replayWiring = (directory: string) => ({ ips: loadIpTable(directory), store: memoryStore() });

/** A registry of models in memory, for a replay that learns. */
export const emptyRegistry = () => modelRegistry(memoryObjects());
