export interface ChangeRecord {
  readonly eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined;
  readonly dynamodb?:
    | {
        readonly NewImage?: Readonly<Record<string, unknown>> | undefined;
        readonly OldImage?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}
