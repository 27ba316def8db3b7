import { type Command, needWord, UsageError } from '../../shared/cli/command-line';
import { progressLine } from '../../shared/cli/progress-line';
import { SIGNING_SECRET_BYTES, signingSecret } from '../../shared/domain/webhooks/webhook-endpoint';
import {
  NETWORK,
  rekeyedEntities,
  rekeyedHistory,
  rekeyedNetwork,
  rekeyItem,
  rekeyLink,
} from '../../shared/store/entities/rekey-item';
import { reseal, sealedByVersion } from '../../shared/usecases/secrets/reseal';
import type { Target } from './target';

const HOUR_MS = 3_600_000;
const MAX_OVERLAP_HOURS = 14 * 24;

function overlapHours(text = '24'): number {
  const hours = Number(text);
  if (!(hours >= 0 && hours <= MAX_OVERLAP_HOURS)) {
    throw new UsageError(`--overlap-hours ${text} is not a number from 0 to ${MAX_OVERLAP_HOURS}.`);
  }
  return hours;
}

/** Rotation of secrets: docs/rotation.md. */
export const ROTATION_COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'webhooks rotate-secret': {
    usage: 'webhooks rotate-secret ACCOUNT_ID WEBHOOK_ID [--overlap-hours 24]',
    does: 'create a new signing secret; deliveries carry both signatures during the overlap',
    run: async (deps, given) => {
      const [accountId, webhookId] = [needWord(given, 0, 'account id'), needWord(given, 1, 'webhook id')];
      const hours = overlapHours(given.texts['overlap-hours']);
      const secret = signingSecret(deps.randomBytes(SIGNING_SECRET_BYTES));
      const untilMs = deps.clock.now() + hours * HOUR_MS;
      if (!(await deps.webhookSecrets.rotate(accountId, webhookId, secret, untilMs)))
        throw new UsageError(`Account ${accountId} has no endpoint ${webhookId}, or another rotation is in progress.`);
      return [
        `signing secret  ${secret}`,
        `It is shown only once. Until ${new Date(untilMs).toISOString()}, deliveries are signed with the old secret as well.`,
      ].join('\n');
    },
  },
  'data-key show': {
    usage: 'data-key show',
    does: 'show how many secrets are sealed with each version of the data key',
    run: async ({ dataKey }) => {
      const current = await dataKey.currentVersion();
      const counts = await sealedByVersion(dataKey);
      const versions = [...new Set([current, ...counts.keys()])];
      return versions
        .map((version) => `${version}  ${counts.get(version) ?? 0}${version === current ? '  (current)' : ''}`)
        .join('\n');
    },
  },
  'data-key rotate': {
    usage: 'data-key rotate',
    does: 'create a new current data key; the old one still opens what it sealed',
    run: async ({ dataKey }) => {
      const current = await dataKey.currentVersion();
      const left = [...(await sealedByVersion(dataKey))].filter(([version]) => version !== current);
      // Secrets Manager keeps the previous version; older ones are not guaranteed.
      if (left.length > 0)
        throw new UsageError(
          'Some secrets are still sealed with an older key. First run: npm run admin -- data-key reseal',
        );
      const version = await dataKey.addVersion();
      return `Version ${version} is current; functions use it within 5 minutes. After that, run: npm run admin -- data-key reseal`;
    },
  },
  'data-key reseal': {
    usage: 'data-key reseal',
    does: 'reseal everything sealed with an older data key',
    run: async ({ dataKey }) => {
      const progress = progressLine();
      const report = await reseal(dataKey, (seen) => progress.show(() => `${seen} sealed texts`)).finally(
        progress.done,
      );
      return `${report.resealed} resealed, ${report.current} already current, ${report.changedMeanwhile} changed in the meantime.`;
    },
  },
};

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
          const network = rekeyedNetwork(pseudonyms, item);
          if (network !== undefined) await table.replaceList(item, NETWORK, [network]);
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
