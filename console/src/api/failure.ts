/** Why a call failed, in terms of what a person can do about it. */
export type Failure =
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      /** What is wrong with which field. */
      readonly details: ReadonlyArray<{ readonly field: string; readonly message: string }>;
    }
  | { readonly kind: 'broken'; readonly message: string; readonly requestId: string | undefined };

/** The one error that calls of the API throw. */
export class CallFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.kind);
  }
}

/** Any other error is a bug; it is shown as well, never swallowed. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallFailed) return error.failure;
  return { kind: 'broken', message: error instanceof Error ? error.message : String(error), requestId: undefined };
}

export const hasCode = (failure: Failure, code: string): boolean => failure.kind === 'refused' && failure.code === code;
