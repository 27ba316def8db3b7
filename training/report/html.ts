/** Markup that is safe to put into a page as it is. */
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

/** Text for any place of a page, inside attribute quotes too. What HTML does not allow is shown as a replacement. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no page may hold.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (found) => ESCAPES[found] as string);

function written(inlay: Inlay): string {
  if (inlay === null || inlay === undefined || inlay === false) return '';
  if (inlay instanceof Html) return inlay.text;
  if (typeof inlay === 'object') return inlay.map(written).join('');
  return escapeHtml(String(inlay));
}

/** A template whose every inlay is escaped unless it is markup of our own. */
export function html(parts: TemplateStringsArray, ...inlays: readonly Inlay[]): Html {
  return new Html(parts.reduce((text, part, i) => text + written(inlays[i - 1]) + part));
}
