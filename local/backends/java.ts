import { execFile } from 'node:child_process';
import { StartError } from '../start-error';

const OLDEST = 17;
const REMEDY = `install Java ${OLDEST} or newer (for example from https://adoptium.net) or use your own AWS emulator with --endpoint-url`;

/** Fails with instructions if `java` is missing or too old for DynamoDB Local. */
export async function checkJava(command = 'java'): Promise<void> {
  const output = await new Promise<string>((resolve, reject) => {
    execFile(command, ['-version'], (error, stdout, stderr) => {
      // macOS has a stub that exists, fails, and says where to get Java.
      if (error) reject(new StartError(`DynamoDB Local needs Java, but none was found: ${REMEDY}.`));
      else resolve(stdout + stderr);
    });
  });
  const [, first = '0', second = '0'] = /version "(\d+)(?:\.(\d+))?/.exec(output) ?? [];
  const version = first === '1' ? Number(second) : Number(first);
  if (version < OLDEST)
    throw new StartError(`DynamoDB Local needs Java ${OLDEST}, but found Java ${version}: ${REMEDY}.`);
}
