import { DEFAULT_MAPPING } from '../domain/afd/afd-mapping';
import { shortMemory } from '../domain/short-memory';
import { keyReader } from '../store/accounts/account-store';
import { afdEventStore, afdMappingReader, afdTypeStore } from '../store/afd/afd-store';
import { outcomeStore } from '../store/cases/outcome-store';
import { listReader } from '../store/lists/list-store';
import { ruleBookReader, ruleStore } from '../store/rules/rule-store';
import { openTable } from '../store/sdk/client';
import { systemClock } from './clock';
import { config } from './config';
import { screeningWiring } from './screening-wiring';

/** A changed mapping works within a minute. */
const MEMORY = { lifeMs: 50_000, most: 100 };

export function afdWiring(directory: string) {
  const table = openTable(config.tableName());
  const mappings = afdMappingReader(table);
  const books = ruleBookReader(table);
  const lists = listReader(table);
  const find = async (accountId: string) => (await mappings.find(accountId)) ?? DEFAULT_MAPPING;
  const remembered = shortMemory(find, systemClock.now, MEMORY);
  return {
    ...screeningWiring('afd', directory),
    events: afdEventStore(table),
    afdTypes: afdTypeStore(table),
    declaring: { clock: systemClock, rules: ruleStore(table), accounts: keyReader(table) },
    region: config.region(),
    outcomes: outcomeStore(table),
    policyOf: async (accountId: string) => {
      const [book, all] = await Promise.all([books.book(accountId, true), lists.all(accountId)]);
      return { rules: book.rules(), lists: all };
    },
    mappingOf: async (accountId: string) => (await remembered(accountId)) ?? DEFAULT_MAPPING,
  };
}
