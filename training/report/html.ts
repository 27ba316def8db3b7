/** Markup that is safe to insert into a page without escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Inlay = Html | string | number | null | undefined | false | readonly Inlay[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for anywhere in a page, including quoted attributes. Characters that HTML does not allow are replaced. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that no page may contain.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (found) => ESCAPES[found] as string);

function written(inlay: Inlay): string {
  if (inlay === null || inlay === undefined || inlay === false) return '';
  if (inlay instanceof Html) return inlay.text;
  if (typeof inlay === 'object') return inlay.map(written).join('');
  return escapeHtml(String(inlay));
}

/** A template that escapes every value except our own markup. */
export function html(parts: TemplateStringsArray, ...inlays: readonly Inlay[]): Html {
  return new Html(parts.reduce((text, part, i) => text + written(inlays[i - 1]) + part));
}
