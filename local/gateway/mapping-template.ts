/** The variables a gateway template may use, by name without the dollar sign. */
export type TemplateVariables = Readonly<Record<string, string>>;

/** What the local gateway can fill in; all of `$context` in AWS is larger. */
export const CONTEXT_VARIABLES = [
  'context.requestId',
  'context.extendedRequestId',
  'context.error.message',
  'context.error.messageString',
  'context.error.responseType',
  'context.error.validationErrorString',
  'context.httpMethod',
  'context.path',
  'context.resourcePath',
  'context.stage',
  'context.apiId',
  'context.accountId',
  'context.requestTime',
  'context.requestTimeEpoch',
  'context.identity.sourceIp',
  'context.identity.userAgent',
  'context.authorizer.principalId',
] as const;

const KNOWN: ReadonlySet<string> = new Set(CONTEXT_VARIABLES);
const VARIABLE = /\$!?(?:\{([A-Za-z][\w.]*)\}|([A-Za-z][\w.]*))/g;

/** A velocity template reduced to its variables; everything else velocity has makes compilation fail. */
export function compileTemplate(source: string): (variables: TemplateVariables) => string {
  const directive = /#(?:set|if|else|elseif|end|foreach|macro|parse|include|stop|define)\b/.exec(source);
  if (directive) throw new Error(`the template directive ${directive[0]} is not emulated`);
  for (const [, braced, bare] of source.matchAll(VARIABLE)) {
    const name = braced ?? bare ?? '';
    if (!KNOWN.has(name)) throw new Error(`the template variable $${name} is not emulated`);
  }
  return (variables) =>
    source.replace(VARIABLE, (_all, braced?: string, bare?: string) => variables[braced ?? bare ?? ''] ?? '');
}
