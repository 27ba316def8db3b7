import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BundledRun } from '../../bin/cli/bundled-run';
import { progressBar } from '../../bin/cli/progress-bar';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { type BadLine, readHistory } from './history';
import { learner } from './learner';
import { lineWriter } from './line-writer';
import { replay } from './replay';
import { reportBuilder, reportText } from './replay-report';

const HELP = `npm run replay -- FILE [--out scores.jsonl] [--report report.json] [--signals-only] [--no-training]

Screens a history (JSON lines, optionally .gz) with the lines' own clock and reports how good the scores were.
  --out FILE        write one line per screening
  --report FILE     write the metrics as JSON
  --no-training     use the base model throughout
  --signals-only    use no model at all`;

const MOST_BAD_SHOWN = 10;

/** Replays a file. */
export async function main(argv: readonly string[], { directory }: BundledRun): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      report: { type: 'string' },
      help: { type: 'boolean', default: false },
      'signals-only': { type: 'boolean', default: false },
      'no-training': { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  if (values.help || file === undefined) {
    console.log(HELP);
    return;
  }
  const bad: BadLine[] = [];
  const history = await readHistory(file, (line) => bad.push(line));
  tellBad(bad);
  const out = values.out === undefined ? undefined : lineWriter(values.out);
  const report = reportBuilder();
  const bar = progressBar('lines', history.length);
  const isLearning = !values['signals-only'] && !values['no-training'];
  const learn = learner();
  await replay(
    history.lines(),
    {
      ...replayWiring(directory),
      model: values['signals-only'] ? undefined : loadBaseModel(directory),
      learn: isLearning ? (...asked) => bar.aside(() => learn(...asked)) : undefined,
      note: (text) => bar.note(text),
    },
    (line, { user_id }) => {
      out?.write(line);
      report.add(line, user_id);
      bar.step();
    },
  );
  const pace = bar.stop();
  out?.close();
  const splits = report.finish();
  if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify(splits, null, 2)}\n`);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`\n${reportText(splits)}\n${pace}; peak memory ${megabytes} MB`);
}

function tellBad(bad: readonly BadLine[]): void {
  if (bad.length === 0) return;
  console.error(`Skipped ${bad.length} unusable lines:`);
  for (const { line, reason } of bad.slice(0, MOST_BAD_SHOWN)) console.error(`  line ${line}: ${reason}`);
  if (bad.length > MOST_BAD_SHOWN) console.error(`  … and ${bad.length - MOST_BAD_SHOWN} more`);
}
