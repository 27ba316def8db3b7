import { readdirSync } from 'node:fs';

// Every file beside this one is a benchmark: `npm run bench -- cold-start`, or all of them without a name.
const names = readdirSync(__dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.replace(/\.ts$/, ''));

async function main(): Promise<void> {
  const [wanted] = process.argv.slice(2);
  const chosen = names.filter((name) => wanted === undefined || name === wanted || name.startsWith(wanted));
  if (chosen.length === 0) throw new Error(`No benchmark "${wanted}". There are: ${names.join(', ')}`);
  for (const name of chosen) {
    console.log(`\n# ${name}`);
    const { run } = (await import(`./${name}`)) as { run: () => Promise<void> | void };
    await run();
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
