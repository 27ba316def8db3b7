import { runUntilStopped } from '../../../local/greeting';

// The command line of the local run, around the fixture: arguments are assembly, data directory, port and stack.
const inMemory = process.argv.includes('--in-memory');
const [assembly = '', dataDir = '', port = '0', stackName = 'Fixture-main'] = process.argv
  .slice(2)
  .filter((word) => word !== '--in-memory');

void runUntilStopped(
  () => ({ assembly, dataDir, port: Number(port), stackName, inMemory }),
  async (run) => console.log(`${run.stackName} is running at ${run.url}`),
);
