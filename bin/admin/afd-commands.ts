import { readFileSync } from 'node:fs';
import { needWord, UsageError } from '../../shared/cli/command-line';
import type { Command } from '../../shared/cli/command-table';
import { parseAfdMapping } from '../../shared/schemas/afd-mapping';
import { requireAccount } from '../../shared/usecases/accounts/administer-accounts';
import { changeAfdMapping } from '../../shared/usecases/afd/administer-afd-mapping';
import type { Target } from './target';

const mappingIn = (file: string) => {
  try {
    return parseAfdMapping(readFileSync(file, 'utf8'), file);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** How events of Amazon Fraud Detector's client are read: docs/guide/leave-fraud-detector.md. */
export const AFD_COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'afd-mapping set': {
    usage: 'afd-mapping set ACCOUNT_ID FILE',
    does: "set how events of Amazon Fraud Detector's client are read; effective within a minute",
    run: async (deps, given) => {
      const accountId = needWord(given, 0, 'account id');
      const mapping = mappingIn(needWord(given, 1, 'mapping file'));
      await changeAfdMapping({ ...deps, mappings: deps.afdMappings }, accountId, mapping);
      return `${accountId} reads events of Amazon Fraud Detector's client by this mapping within a minute.`;
    },
  },
  'afd-mapping show': {
    usage: 'afd-mapping show ACCOUNT_ID',
    does: 'show the mapping of an account',
    run: async (deps, given) => {
      const { account_id } = await requireAccount(deps, needWord(given, 0, 'account id'));
      const mapping = await deps.afdMappings.find(account_id);
      return mapping ? JSON.stringify(mapping, null, 2) : `${account_id} has no mapping: the defaults apply.`;
    },
  },
  'afd-mapping remove': {
    usage: 'afd-mapping remove ACCOUNT_ID',
    does: 'go back to the default mapping',
    run: async (deps, given) => {
      const accountId = needWord(given, 0, 'account id');
      await changeAfdMapping({ ...deps, mappings: deps.afdMappings }, accountId, undefined);
      return `${accountId} goes back to the default mapping within a minute.`;
    },
  },
};
