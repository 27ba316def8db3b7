import type { Intercept } from './aws/front';
import type { Crash } from './lambda/pool';

/** Settings of a local run; `main.ts` builds them from the command line, tests build them by hand. */
export interface LocalOptions {
  readonly assembly: string;
  readonly stackName: string;
  readonly dataDir: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly reset?: boolean;
  readonly verbose?: boolean;
  /** Keeps tables in memory only: fast writes for tests and benchmarks, and a fresh start each time. */
  readonly inMemory?: boolean;
  /** The user's own emulator for DynamoDB, SQS and S3; ours are then not started. */
  readonly endpointUrl?: string | undefined;
  /** Synthesizes into `assembly` first, while the emulators start. */
  readonly synthesize?: () => Promise<void>;
  readonly concurrencyPerFunction?: number;
  /** Functions use a clock that `POST /_local/clock/<milliseconds>` moves forward. */
  readonly virtualClock?: boolean;
  /** Webhooks may go to receivers on this machine with a certificate from its own authority. */
  readonly localWebhooks?: boolean;
  readonly intercept?: Intercept;
  readonly crash?: Crash;
  /** Prints progress while starting, and anything that needs attention while running. */
  readonly print?: (line: string) => void;
}
