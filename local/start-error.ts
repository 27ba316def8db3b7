import { UsageError } from '../shared/cli/command-line';

/** A reason why the local run cannot start, worded for the person at the terminal: shown without a stack trace. */
export class StartError extends UsageError {
  override readonly name = 'StartError';
}
