/** One question of a person, the tool that the assistant called for it, and the answer. */
export interface Turn {
  readonly asks: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly said: string;
  readonly isError: boolean;
}

const HEAD = `# A conversation over MCP

Made by \`npm run mcp:transcript\` against a local run: the questions are examples, the calls and answers are real. How to
set it up: [the guide](guide/mcp.md).
`;

const pretty = ({ said, isError }: Turn): string => (isError ? said : JSON.stringify(JSON.parse(said), null, 2));

/** The conversation as a page. Answers are indented for people; over the wire they are compact. */
export const transcriptOf = (turns: readonly Turn[]): string =>
  [HEAD, ...turns.map((turn) => `## ${turn.asks}\n\n${called(turn)}\n\n\`\`\`text\n${pretty(turn)}\n\`\`\`\n`)].join(
    '\n',
  );

const called = ({ tool, input, isError }: Turn): string =>
  `\`${tool}\`${isError ? ' (refused)' : ''}, with \`${JSON.stringify(input).replace(/case_\w{20,}/, 'case_…')}\`:`;

/** What of a transcript is the same in every run: the questions and the calls. */
export const headingsOf = (transcript: string): string[] => transcript.match(/^## .+$|^`\w+`.*:$/gm) ?? [];
