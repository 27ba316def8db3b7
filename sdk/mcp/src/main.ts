import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { FraudScreening } from '../../client/src';
import { HELP, readStartOptions, StartError } from './start-options';
import { createServer } from './tools';

async function main(): Promise<void> {
  const options = readStartOptions(process.argv.slice(2), process.env);
  if (!options) {
    process.stdout.write(HELP);
    return;
  }
  const { apiKey, baseUrl } = options;
  const server = createServer(new FraudScreening({ apiKey, baseUrl }), options);
  await server.connect(new StdioServerTransport());
}

main().catch((error: unknown) => {
  // Standard output belongs to the protocol. The client's own checks (TypeError) never repeat the key.
  const isMistake = error instanceof StartError || error instanceof TypeError;
  process.stderr.write(`${isMistake ? error.message : 'The server could not start.'}\n`);
  process.exitCode = 1;
});
