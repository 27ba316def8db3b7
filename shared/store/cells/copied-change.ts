import type { ChangeRecord } from '../sdk/change-record';

/**
 * What the readers of the stream act on: copies of these carry a mark, new for each write, which says to readers of the other
 * deployment's stream that nothing happened there (`isCopied`). Other items have none: every byte of a history counts.
 */
export const STREAMED_ENTITIES: ReadonlySet<string> = new Set([
  'screening',
  'case',
  'kept',
  'rule-version',
  'list-change',
  'delivery',
  'tally-step',
]);

/** The attribute with the mark. */
export const MOVED = 'moved';

type Image = Readonly<Record<string, unknown>> | undefined;

function markOf(image: Image): string | undefined {
  return (image?.[MOVED] as { readonly S?: string } | undefined)?.S;
}

/** Whether a change was copied from another deployment: webhooks were sent and counts made there. */
export function isCopied({ dynamodb }: ChangeRecord): boolean {
  const mark = markOf(dynamodb?.NewImage);
  return mark !== undefined && mark !== markOf(dynamodb?.OldImage);
}
