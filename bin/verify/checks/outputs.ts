import { type Check, must } from '../check';

/** What the command lines and the people of a stage need to find it. */
const REQUIRED = [
  'ApiUrl',
  'TableName',
  'UsagePlanId',
  'DataKeySecretId',
  'ModelRegistryBucket',
  'DeadLetterQueueUrl',
  'RetryQueueUrl',
] as const;

export const outputs: Check = {
  name: 'outputs',
  proves: 'the stack has every output that people and command lines need',
  needs: 'operator',
  async run({ operator }) {
    const found = (await operator?.outputs()) ?? {};
    const missing = REQUIRED.filter((name) => !found[name]);
    must(missing.length === 0, `The stack has no output ${missing.join(', ')}. Deploy this version of the service.`);
    const { AlarmRecipients: recipients = 'there are no alarms (-c alarms=off)', ConsoleUrl: page } = found;
    return [`alarms: ${recipients}`, ...(page ? [] : ['no review console (-c console=off)'])].join('; ');
  },
};
