import { markdownTable, textTable } from '../../shared/cli/text-table';

export interface Section {
  readonly title: string;
  readonly lines?: readonly string[];
  readonly table?: ReadonlyArray<readonly string[]>;
}

export const textSections = (sections: readonly Section[]): string =>
  sections
    .map(({ title, lines = [], table }) => [`# ${title}`, ...lines, ...(table ? [textTable(table)] : [])].join('\n'))
    .join('\n\n');

export const markdownSections = (sections: readonly Section[]): string[] =>
  sections.map(({ title, lines = [], table }) =>
    [`### ${title}`, ...(lines.length > 0 ? [lines.join('\n')] : []), ...(table ? [markdownTable(table)] : [])].join(
      '\n\n',
    ),
  );
