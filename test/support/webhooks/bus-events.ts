import type { AwsCall } from '../../../local/aws/call';
import type { Proceed } from '../../../local/aws/front';
import type { BusEntry } from '../../../shared/queue/event-bus';

/** An event that the emulated bus has accepted, and the function that sent it. */
export interface OnBus {
  readonly caller: string;
  readonly entry: BusEntry;
}

/** Passes calls of EventBridge on, and remembers what the bus has accepted. */
export function busEvents() {
  const accepted: OnBus[] = [];
  return {
    async note({ caller, input }: Pick<AwsCall, 'input'> & { readonly caller: string }, proceed: Proceed) {
      const answer = await proceed();
      const { Entries: results } = JSON.parse(String(answer.body)) as { Entries?: ReadonlyArray<{ EventId?: string }> };
      for (const [at, entry] of (input.Entries as readonly BusEntry[]).entries()) {
        if (results?.[at]?.EventId) accepted.push({ caller, entry });
      }
      return answer;
    },
    /** Those whose detail mentions an ID. */
    about: (id: string): readonly OnBus[] => accepted.filter(({ entry }) => entry.Detail.includes(`"${id}"`)),
  };
}
