/** A request to be made; what it refers to is picked from earlier responses when it is sent. */
export type Intent =
  | {
      readonly kind: 'screen-transaction' | 'screen-event';
      readonly account: number;
      readonly body: Readonly<Record<string, unknown>>;
      /** Sent as `Idempotency-Key`; the same key twice is a client that retries. */
      readonly idempotencyKey?: string;
    }
  | { readonly kind: 'list-cases'; readonly account: number; readonly status: string | undefined }
  | { readonly kind: 'resolve-case'; readonly account: number; readonly status: 'approved' | 'rejected' }
  | {
      readonly kind:
        | 'get-transaction'
        | 'get-decision'
        | 'get-case'
        | 'get-risk-profile'
        | 'review-decision'
        | 'list-webhooks';
      readonly account: number;
      /** Which of the recent responses, from 0 (the latest) to 1. */
      readonly age: number;
    };

export type Operation = Intent['kind'];
