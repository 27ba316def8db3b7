import type { AccessRequest } from '../iam/evaluate';
import { AwsError } from './call';

type Input = Readonly<Record<string, unknown>>;

/** A batch call is authorized as the single one: IAM has no batch actions for SQS. */
const SINGLE: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

export function sqsAccess(
  arnOf: (queueName: string) => string,
  operation: string,
  input: Input,
): readonly AccessRequest[] {
  const action = `sqs:${SINGLE[operation] ?? operation}`;
  if (operation === 'ListQueues') return [{ action, resource: '*' }];
  const name =
    operation === 'GetQueueUrl'
      ? String(input.QueueName)
      : String(input.QueueUrl ?? '')
          .split('/')
          .at(-1);
  return [{ action, resource: arnOf(name ?? '') }];
}

const MAX_DELAY_SECONDS = 900;

/** Refuses requests that SQS refuses and fauxqs accepts, so that they fail here and not after deployment. */
export function checkSqsLimits(operation: string, input: Input): void {
  const entries = operation === 'SendMessageBatch' ? ((input.Entries ?? []) as readonly Input[]) : [input];
  if (operation !== 'SendMessage' && operation !== 'SendMessageBatch') return;
  for (const { DelaySeconds: delay } of entries) {
    if (delay === undefined || (Number(delay) >= 0 && Number(delay) <= MAX_DELAY_SECONDS)) continue;
    throw new AwsError(
      'InvalidParameterValue',
      `Value ${String(delay)} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${MAX_DELAY_SECONDS}.`,
    );
  }
}
