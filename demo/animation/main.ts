import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberOf, readCommandLine, runCommand } from '../../shared/cli/command-line';
import { wrapText } from '../../shared/cli/wrap-text';
import { playShopTraffic } from '../play-shop-traffic';
import { startDemo } from '../start-demo';
import { trafficSummary } from '../traffic-counts';
import { animation, type Frame } from './animation';

const FRAMES = 20;
/** As many characters as the picture is wide, and where the second column begins. */
const COLUMNS = { width: 104, indent: 18 };

const OPTIONS = {
  for: { value: 'seconds', does: 'how long to record', default: '120' },
  rate: { value: 'number', does: 'simulated requests per second', default: '5' },
} as const;

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run demo:animation -- [options]',
    about: 'Runs the demo and draws what it printed as docs/images/demo.svg, the animation in the README.',
    options: OPTIONS,
    next: 'open docs/images/demo.svg in a browser, then commit it.',
  });
  if (!given) return;
  const endMs = 1_000 * numberOf(given, 'for', { min: 1, max: 3_600 });
  const demo = await startDemo({ port: 0, shopPort: 0, print: () => undefined });
  const frames: Frame[] = [];
  try {
    const { url, key, fraud, trafficCounts } = demo;
    const draw = (elapsedMs: number): void => {
      const text = trafficSummary(trafficCounts, elapsedMs).join('\n');
      frames.push({ lines: wrapText(text, COLUMNS.width, COLUMNS.indent).split('\n') });
    };
    await playShopTraffic({
      ...{ url, key, fraud, trafficCounts, perSecond: numberOf(given, 'rate', { min: 1, max: 100 }) },
      isOver: (elapsedMs) => elapsedMs >= endMs,
      onTick: (elapsedMs) => {
        if (elapsedMs >= (frames.length * endMs) / FRAMES) draw(elapsedMs);
      },
    });
    draw(endMs);
  } finally {
    await demo.stop();
  }
  const file = join(__dirname, '../../docs/images/demo.svg');
  const picture = animation('npm run demo', frames);
  writeFileSync(file, picture);
  console.log(`docs/images/demo.svg: ${frames.length} frames, ${Math.ceil(picture.length / 1_000)} kB`);
});
