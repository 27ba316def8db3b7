import { greet, runUntilStopped } from './greeting';
import { localOptions } from './local-options';

void runUntilStopped(() => localOptions(process.argv.slice(2)), greet);
