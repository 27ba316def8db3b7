import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileIntelligence } from '../../../../lib/bundling/compile-intelligence';
import { observationOf } from '../../../../shared/domain/screening/attributes/observe-attributes';
import { INTELLIGENCE_FILE } from '../../../../shared/runtime/intelligence-file';
import { inAThread } from '../../../support/machine/in-a-thread';
import { temporaryFolder } from '../../../support/machine/temporary-folder';
import { patient } from '../../../support/patience';
import type { PrintedImport } from './imported-files';

/** The row of a column in the printed table. */
const lineOf = (text: string, column: string): string =>
  text.split('\n').find((line) => line.startsWith(`${column} `)) ?? '';

describe('files as customers of Amazon Fraud Detector have them', () => {
  let imports: ReadonlyMap<string, PrintedImport>;
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder('afd-files');
    compileIntelligence(join(folder, INTELLIGENCE_FILE));
    const entry = join(__dirname, 'imported-files.ts');
    const printed = await inAThread<PrintedImport[]>(entry, 'importSampleFiles', folder);
    imports = new Map(printed.map((each) => [each.file, each]));
  }, patient(120_000));
  const printed = (file: string): PrintedImport => imports.get(file) as PrintedImport;

  it.each(['no-entity-id.csv', 'late-labels.csv', 'seventy-variables.csv', 'odd-currencies.csv'])(
    '%s is imported whole, with a table of its columns and a measured quality',
    (file) => {
      const { remarks, result } = printed(file);
      expect(remarks).toContain('COLUMN');
      expect(remarks).not.toContain('Skipped');
      expect(remarks).toContain('400 rows have a label');
      const [, folds, rows, auc] = /cross-validated in the order of time, (\d) times .*: (\d+) rows .*AUC (\S+),/.exec(
        result,
      ) as unknown as [string, string, string, string];
      expect([Number(folds), Number(rows) > 200]).toEqual([4, true]);
      expect(Number(auc)).toBeGreaterThan(0.8);
    },
  );

  it('says who stands for the user where nobody is named', () => {
    expect(printed('no-entity-id.csv').remarks).toContain(
      'There is no column ENTITY_ID: 400 rows take email_address as the user.',
    );
  });

  it('learns from labels that arrived after more than 90 days', () => {
    expect(printed('late-labels.csv').remarks).toContain('400 of them became known more than 90 days after the event');
  });

  it('names what it had no room for', () => {
    const { remarks } = printed('seventy-variables.csv');
    expect(lineOf(remarks, 'card_bin')).toContain('custom_attributes.card_bin');
    expect(lineOf(remarks, 'signal_64')).toContain('more than 50 attributes');
    expect(lineOf(remarks, 'signal_40')).toContain('beyond the 320 bytes');
  });

  it('names currencies without a rate, in the table and below it', () => {
    const { remarks } = printed('odd-currencies.csv');
    const line = lineOf(remarks, 'payment_currency');
    for (const code of ['DEM', 'ITL', 'FRF', 'ESP', 'ZWD', 'BTC', 'EURO']) expect(line).toContain(`${code} (`);
    expect(line).not.toContain('USD');
    expect(remarks).toMatch(/\d+ rows are in DEM, which has no rate/);
  });

  it('proposes to track what comes back with fraud, and nothing else', () => {
    const { result } = printed('late-labels.csv');
    expect(result).not.toContain('Worth tracking');
    const early = printed('odd-currencies.csv').result;
    expect(early).toContain('Worth tracking');
    expect(lineOf(early, 'shipping_address')).toMatch(/times as likely/);
    expect(early).toContain('merchant_id,terminal_id,category,shipping_address');
  });

  it('never reads the first digits of a card as a number', () => {
    for (const key of ['card_bin', 'cardBin', 'CARD-BIN', 'credit_card_bin'])
      expect(observationOf(key)).toBe('category');
    const versions = readdirSync(join(folder, 'candidates'));
    const columns = versions.flatMap((version) => {
      const { attributes } = JSON.parse(readFileSync(join(folder, 'candidates', version, 'metadata.json'), 'utf8'));
      return attributes.columns.filter(({ source }: { source: string }) => source === 'attributes.card_bin');
    });
    expect(versions).toHaveLength(4);
    expect(columns.filter(({ kind }: { kind: string }) => kind === 'number')).toEqual([]);
  });
});
