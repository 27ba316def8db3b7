import {
  type Given,
  readCommandLine,
  runCommand,
  STAGE_OPTIONS,
  stageOf,
  UsageError,
} from '../shared/cli/command-line';
import { testedPolicy } from '../shared/cli/policy-file';
import { ruleTestLine } from '../shared/cli/rule-test-line';
import { DEFAULT_SETTINGS } from '../shared/domain/accounts/account';
import { attributeTypeOf } from '../shared/domain/declarations/declaration';
import { tryRule } from '../shared/domain/rules/rule-trial';
import { adminWiring } from '../shared/runtime/admin-wiring';
import { findAddress } from './admin/target';
import { readWarehouse } from './warehouse/read-warehouse';

const DAY_MS = 86_400_000;

/** Prints how the rules of a file would have changed the decisions of a warehouse, account by account. */
async function onWarehouse(given: Given): Promise<string> {
  const { warehouse = '', rules } = given.texts;
  if (rules === undefined) throw new UsageError('--warehouse needs --rules FILE.yaml');
  const [policy, kept] = [await testedPolicy(rules), await readWarehouse(warehouse, process.env.AWS_REGION)];
  const stage = stageOf(given);
  const { identity } = adminWiring(stage, await findAddress(stage, given.flags.has('aws')));
  const pseudonyms = await identity.pseudonyms();
  const lines = [...kept].flatMap(([accountId, rows]) => {
    const [first, last] = [rows[0], rows.at(-1)].map((row) => row?.record.screened_at_ms ?? 0) as [number, number];
    const days = Math.max((last - first) / DAY_MS, 1 / 24);
    const typeOf = (key: string) => attributeTypeOf(policy.book.declarations, key);
    const settings = { ...DEFAULT_SETTINGS, tracked_attributes: policy.tracked };
    const by = { accountId, pseudonyms, settings, typeOf };
    const traffic = { days, allowed: 0, unlisted: 0, isComplete: true, by };
    return [
      `${accountId}: ${rows.length} decisions of ${days.toFixed(1)} days`,
      ...policy.book.rules.map(({ name, tree, action, points }) => {
        const tested = tryRule({ tree, action, points: points ?? undefined }, rows, traffic);
        return `  ${ruleTestLine(name, tested)}`;
      }),
    ];
  });
  return lines.join('\n') || 'The warehouse has no decisions yet.';
}

/** Rules on a warehouse are tested here; a history is replayed by a separate bundle. */
runCommand(async () => {
  if (!process.argv.some((each) => each.startsWith('--warehouse'))) {
    process.argv.splice(2, 0, 'training/replay/main.ts');
    await import('./run-bundled');
    return;
  }
  const given = readCommandLine({
    usage: 'npm run replay -- --warehouse FOLDER|s3://BUCKET --rules FILE.yaml [--stage STAGE] [--aws]',
    about: 'Tests rules on all decisions of a warehouse, with the identity key of the stage that they come from.',
    options: {
      ...STAGE_OPTIONS,
      warehouse: { value: 'place', does: 'a folder, or s3:// and the name of the bucket' },
      rules: { value: 'file', does: 'the rules, as npm run rules takes them' },
    },
    next: 'docs/guide/warehouse.md describes the warehouse.',
  });
  if (given) console.log(await onWarehouse(given));
});
