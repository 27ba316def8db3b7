import { writeFileSync } from 'node:fs';
import {
  type BundledRun,
  type CommandLine,
  needWord,
  readCommandLine,
  UsageError,
} from '../../shared/cli/command-line';
import { testedPolicy } from '../../shared/cli/policy-file';
import { progressBar } from '../../shared/cli/progress-bar';
import { type AccountSettings, DEFAULT_LABEL_WINDOW_DAYS, settingsFaults } from '../../shared/domain/accounts/account';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { type BadLine, readEventFile } from './history';
import { learner } from './learner';
import { lineWriter } from './line-writer';
import { REPLAY_SETTINGS, type ReplayedLine, replay } from './replay';
import { replayPicture } from './replay-picture';
import { promotionText, reportBuilder, reportText, trainingTable } from './replay-report';
import { ruleReport, ruleReportText, shadowRules } from './rule-report';

const COMMAND_LINE = {
  usage: 'npm run replay -- FILE [options]',
  about:
    "Screens a history (JSON lines, optionally .gz) with the lines' own clock and reports how good the scores were.",
  options: {
    out: { value: 'file', does: 'write one line per screening' },
    report: { value: 'file', does: 'write the metrics as JSON' },
    picture: { value: 'file', does: 'draw expected and actual fraud, weeks and changes of model (SVG)' },
    rules: { value: 'file', does: 'also tell what the rules of a YAML file would have done' },
    'label-window-days': { value: 'days', does: 'how long labels are kept, 1 to 550 (default: 550)' },
    'no-training': { does: 'use the base model throughout' },
    'signals-only': { does: 'use no model at all' },
  },
  takesWords: true,
  notes:
    'Try it with the sample that ships: npm run replay -- docs/samples/history.jsonl\nnpm run replay -- --warehouse FOLDER|s3://BUCKET --rules FILE.yaml tests rules on a warehouse.',
  next: 'npm run import -- FILE.csv trains a model on your history.',
} as const satisfies CommandLine;

const MOST_BAD_SHOWN = 10;

export async function main(argv: readonly string[], { directory }: BundledRun): Promise<void> {
  const given = readCommandLine(COMMAND_LINE, argv);
  if (!given) return;
  const file = needWord(given, 0, 'file to replay');
  const settings = settingsOf(given.texts['label-window-days']);
  const isBySignals = given.flags.has('signals-only');
  const bad: BadLine[] = [];
  const policy = given.texts.rules === undefined ? undefined : await testedPolicy(given.texts.rules);
  const history = await readEventFile(file, (line) => bad.push(line), policy?.book.declarations);
  tellBad(bad);
  const tried = policy && ruleReport(policy);
  const out = given.texts.out === undefined ? undefined : lineWriter(given.texts.out);
  const report = reportBuilder();
  const bar = progressBar('lines', history.length);
  const isLearning = !isBySignals && !given.flags.has('no-training');
  const { promotions, trainings } = await replay(
    history.lines(),
    {
      ...replayWiring(directory),
      model: isBySignals ? undefined : loadBaseModel(directory),
      learn: isLearning ? learner() : undefined,
      aside: (work) => bar.aside(work),
      settings: policy ? { ...settings, tracked_attributes: policy.tracked } : settings,
      rules: policy && shadowRules(policy),
      note: (text) => bar.note(text),
    },
    (line, { user_id }, record) => {
      out?.write(written(line));
      report.add(line, user_id);
      tried?.add(record, line.label);
      bar.step();
    },
  );
  const pace = bar.stop();
  out?.close();
  const splits = report.finish();
  if (given.texts.report !== undefined) writeFileSync(given.texts.report, `${JSON.stringify(splits, null, 2)}\n`);
  if (given.texts.picture !== undefined) writeFileSync(given.texts.picture, replayPicture(splits, promotions));
  if (tried) console.log(`\n${ruleReportText(tried.finish())}`);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  if (isLearning) console.log(`\n${labelNote(settings)}`);
  console.log(
    `\n${reportText(splits)}\n${promotionText(promotions)}\n${trainingTable(trainings)}\n${pace}; peak memory ${megabytes} MB`,
  );
}

const written = ({ i, at_ms, ...rest }: ReplayedLine) => ({ i, t: new Date(at_ms).toISOString(), ...rest });

function settingsOf(days: string | undefined): AccountSettings {
  const settings = days === undefined ? REPLAY_SETTINGS : { ...REPLAY_SETTINGS, label_window_days: Number(days) };
  const [fault] = settingsFaults(settings);
  if (fault !== undefined) throw new UsageError(`--label-window-days ${fault.message}`);
  return settings;
}

const labelNote = ({ label_window_days: days }: AccountSettings): string =>
  `Labels were kept for ${days} days. An account keeps them for ${DEFAULT_LABEL_WINDOW_DAYS} unless its label_window_days says otherwise.`;

function tellBad(bad: readonly BadLine[]): void {
  if (bad.length === 0) return;
  console.error(`Skipped ${bad.length} unusable lines:`);
  for (const { line, reason } of bad.slice(0, MOST_BAD_SHOWN)) console.error(`  line ${line}: ${reason}`);
  if (bad.length > MOST_BAD_SHOWN) console.error(`  … and ${bad.length - MOST_BAD_SHOWN} more`);
}
