/** What came of one request of a collection. */
export interface Ran {
  readonly name: string;
  readonly status: number;
  /** Whether it has tests, and all of them hold. */
  readonly passed: boolean;
  readonly text: string;
}

/** A text with its variables. @throws if one has no value: the runners would send it as it stands. */
export const filledIn = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{([\w$]+)\}\}/g, (_, name: string) => {
    const value = variables[name];
    if (!value) throw new Error(`The variable ${name} has no value`);
    return value;
  });

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export async function send({ method, url, headers, body }: Sent): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, text: await response.text() };
}
