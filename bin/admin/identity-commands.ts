import { UsageError } from '../../shared/cli/command-line';
import type { Command } from '../../shared/cli/command-table';
import { progressLine } from '../../shared/cli/progress-line';
import { rekeyedEntities, rekeyedHistory, rekeyItem, rekeyLink } from '../../shared/store/entities/rekey-item';
import type { Target } from './target';

/** The identity key and what it names: docs/rotation.md. */
export const IDENTITY_COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'identity-key rotate': {
    usage: 'identity-key rotate',
    does: 'add an identity key, by which entities are named from then on; run identity-key rekey next',
    run: async ({ identity, dataKey }) => {
      const current = await dataKey.currentVersion();
      for await (const { text } of dataKey.sealed.all()) {
        const version = dataKey.versionOf(text);
        // Secrets Manager keeps one version before the current one, and this makes another.
        if (version !== undefined && version !== current) {
          throw new UsageError(
            'Some secrets are sealed with an older key. First run: npm run admin -- data-key reseal',
          );
        }
      }
      await identity.addKey();
      return 'Functions name entities by the new key within 5 minutes. Now run: npm run admin -- identity-key rekey';
    },
  },
  'identity-key rekey': {
    usage: 'identity-key rekey [--table NAME]',
    does: 'copy histories that an older identity key named, or none, to their names by the newest; rerun at any time',
    run: async (deps, given) => {
      const table = deps.tableNamed(given.texts.table);
      const pseudonyms = await deps.identity.pseudonyms();
      const progress = progressLine();
      const count = { copied: 0, there: 0, results: 0, entries: 0 };
      let from: Awaited<ReturnType<typeof table.scan>>['next'];
      let seen = 0;
      do {
        const { items, next } = await table.scan(from);
        for (const item of items) {
          const renewed = rekeyItem(pseudonyms, item) ?? rekeyLink(pseudonyms, item);
          if (renewed !== undefined) count[(await table.restore(renewed)) === 'written' ? 'copied' : 'there'] += 1;
          const history = rekeyedHistory(pseudonyms, item);
          if (history !== undefined) await table.replaceText(item, 'history_pk', history);
          const entities = rekeyedEntities(pseudonyms, item);
          if (entities !== undefined && (await table.replaceList(item, 'entities', entities))) count.results += 1;
          if (await deps.lists.rekey(pseudonyms, item, deps.clock.now())) count.entries += 1;
          progress.show(() => `${++seen} items`);
        }
        from = next;
      } while (from);
      progress.done();
      return `${count.copied} histories copied, ${count.there} already there, ${count.results} results updated, ${count.entries} list entries renamed.`;
    },
  },
};
