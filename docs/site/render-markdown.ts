import MarkdownIt from 'markdown-it';
import { highlight } from './highlight';
import { slugger } from './slug';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

export interface Rendered {
  readonly html: string;
  readonly title: string;
  readonly headings: readonly Heading[];
}

type Reader = InstanceType<typeof MarkdownIt>;
type Token = ReturnType<Reader['parse']>[number];

/** The text of a heading, without its marks. */
const plainText = (inline: Token): string =>
  (inline.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');

const { escapeHtml } = new MarkdownIt().utils;

function reader(): Reader {
  // Pages are our own files; some have HTML where Markdown has no words.
  const markdown = new MarkdownIt({ html: true });
  const { rules } = markdown.renderer;
  // Anything wider than a phone scrolls by itself, and can be scrolled by keyboard.
  rules.fence = (tokens, at) => {
    const { content, info } = tokens[at] as Token;
    const language = info.trim();
    const code = highlight(content, language) ?? escapeHtml(content);
    return `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${code}</code></pre>\n`;
  };
  rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.text = (tokens, at) => escapeHtml((tokens[at] as Token).content.replace(/^\[ \] /, '☐ '));
  return markdown;
}

/** Rewrites links, wherever they stand. */
function rewriteLinks(tokens: readonly Token[], rewrite: (href: string) => string): void {
  for (const token of tokens) {
    for (const name of ['href', 'src']) {
      const value = token.attrGet(name);
      if (value !== null) token.attrSet(name, rewrite(String(value)));
    }
    if (token.type === 'html_inline' || token.type === 'html_block') {
      token.content = token.content.replace(
        /\b(href|src)="([^"]*)"/g,
        (_all, name, value) => `${name}="${rewrite(value)}"`,
      );
    }
    if (token.children) rewriteLinks(token.children, rewrite);
  }
}

/** Markdown as HTML: headings with anchors, code with colours, links by `rewrite`. */
export function renderMarkdown(source: string, rewrite: (href: string) => string): Rendered {
  const markdown = reader();
  const env = {};
  const tokens = markdown.parse(source, env);
  rewriteLinks(tokens, rewrite);
  const anchor = slugger();
  const headings: Heading[] = [];
  tokens.forEach((token, at) => {
    if (token.type !== 'heading_open') return;
    const text = plainText(tokens[at + 1] as Token);
    const id = anchor(text);
    token.attrSet('id', id);
    headings.push({ level: Number(token.tag.slice(1)), text, id });
  });
  // A corner of a table heads nothing: a reader that speaks should not announce it as a heading.
  const html = markdown.renderer.render(tokens, markdown.options, env).replaceAll('<th></th>', '<td></td>');
  return { html, title: headings[0]?.text ?? '', headings };
}
