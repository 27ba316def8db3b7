import { greet } from './greeting';
import { localOptions } from './local-options';
import { runUntilStopped } from './run-until-stopped';

void runUntilStopped(() => localOptions(process.argv.slice(2)), greet);
