/** An expression that cannot be a rule; the message says where and why, for the person who typed it. */
export class ExpressionError extends Error {
  constructor(
    readonly reason: string,
    /** Characters before the position. */
    readonly at: number,
    text: string,
  ) {
    super(`at position ${place(text, at)}: ${reason}`);
    this.name = 'ExpressionError';
  }
}

function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  if (!text.includes('\n')) return `${at + 1}`;
  return `${at + 1} (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
}
