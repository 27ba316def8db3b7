import { readFileSync } from 'node:fs';

export interface Sample {
  /** The nearest heading above it. */
  readonly heading: string;
  readonly language: string;
  readonly source: string;
  /** Its expected output, line by line: its comments that begin with an arrow. */
  readonly prints: readonly string[];
}

/** The fenced blocks of a guide in these languages, in their order. */
export function samplesOf(file: string, languages: readonly string[]): Sample[] {
  const blocks = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm);
  let heading = '';
  const samples: Sample[] = [];
  for (const [, title, language = '', source = ''] of blocks) {
    if (title !== undefined) heading = title;
    else if (languages.includes(language)) {
      const prints = [...source.matchAll(/\/\/ → (.+)$/gm)].map(([, text = '']) => text);
      samples.push({ heading, language, source, prints });
    }
  }
  return samples;
}
