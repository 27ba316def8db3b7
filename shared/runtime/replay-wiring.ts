import { memoryStore } from '../store/memory/memory-store';
import { loadIpTable } from './ip-table-file';

/** What one replay screens with: the IP table beside the bundle, and an empty store in memory. */
export const replayWiring = (directory: string) => ({ ips: loadIpTable(directory), store: memoryStore() });
