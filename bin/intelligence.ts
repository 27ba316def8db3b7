import { UnsoundTable } from '../lib/bundling/read-source';
import { intelligenceAdmin } from '../lib/bundling/renew-intelligence';
import { readCommand, runCommand, stageOf, UsageError } from '../shared/cli/command-line';
import { registryPrefix } from '../shared/store/models/model-registry';
import { s3ObjectStore } from '../shared/store/sdk/object-store';
import { findAddress } from './admin/target';
import { INTELLIGENCE_COMMANDS } from './intelligence/commands';

runCommand(async () => {
  const called = readCommand(INTELLIGENCE_COMMANDS);
  if (!called) return;
  const stage = stageOf(called.given);
  const address = await findAddress(stage, called.given.flags.has('aws'));
  console.error(`# ${address.description}`);
  const admin = intelligenceAdmin(s3ObjectStore(address.models), registryPrefix(stage));
  try {
    console.log(await called.command.run(admin, called.given));
  } catch (error) {
    if (!(error instanceof UnsoundTable)) throw error;
    throw new UsageError(`Refused; the current table stays:\n${error.message}`);
  }
});
