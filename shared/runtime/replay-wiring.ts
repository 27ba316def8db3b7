import { memoryStore } from '../store/memory/memory-store';
import { loadIpTable } from './ip-table-file';

/** What a replay screens with: the IP table next to the bundle, and an empty store in memory. */
export const replayWiring = (directory: string) => ({ ips: loadIpTable(directory), store: memoryStore() });
