import { transformSync } from 'esbuild';

/** A regular expression as the source has it. */
export interface RegexLiteral {
  readonly source: string;
  readonly flags: string;
}

// A slash after one of these begins an expression; after a name, a number or a closing bracket it divides.
const BEFORE_EXPRESSION =
  /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|=>|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield))$/;

/** Where a text in quotes ends. */
function endOfString(code: string, at: number): number {
  const quote = code[at];
  let end = at + 1;
  while (code[end] !== quote) end += code[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** Where a regular expression's closing slash is; one inside a class does not count. */
function endOfRegex(code: string, at: number): number {
  let isInClass = false;
  let end = at + 1;
  for (; code[end] !== '/' || isInClass; end++) {
    if (code[end] === '\\') end++;
    else if (code[end] === '[') isInClass = true;
    else if (code[end] === ']') isInClass = false;
  }
  return end;
}

/**
 * Every regular expression literal of a TypeScript source. esbuild takes types and comments away, so that a scanner
 * need only tell strings, templates, divisions and expressions apart.
 */
export function regexLiterals(typescript: string): RegexLiteral[] {
  const { code } = transformSync(typescript, { loader: 'ts', format: 'esm', legalComments: 'none', charset: 'utf8' });
  const found: RegexLiteral[] = [];
  // How many braces are open in each template that the scanner is inside of.
  const templates: number[] = [];
  let before = '';
  let at = 0;

  const readTemplate = (from: number): number => {
    let end = from;
    while (code[end] !== '`') {
      if (code.startsWith('${', end)) {
        templates.push(0);
        return end + 2;
      }
      end += code[end] === '\\' ? 2 : 1;
    }
    return end + 1;
  };

  while (at < code.length) {
    const char = code[at] as string;
    const open = templates.at(-1);
    const start = at;
    if (code.startsWith('//', at)) at = code.indexOf('\n', at);
    else if (code.startsWith('/*', at)) at = code.indexOf('*/', at) + 2;
    else if (char === '"' || char === "'") at = endOfString(code, at);
    else if (char === '`') at = readTemplate(at + 1);
    else if (char === '}' && open === 0) {
      templates.pop();
      at = readTemplate(at + 1);
    } else if (char === '/' && BEFORE_EXPRESSION.test(before.trimEnd())) {
      const end = endOfRegex(code, at);
      const [flags = ''] = /^[a-z]*/.exec(code.slice(end + 1)) ?? [];
      found.push({ source: code.slice(at + 1, end), flags });
      at = end + 1 + flags.length;
    } else {
      if (open !== undefined && char === '{') templates[templates.length - 1] = open + 1;
      if (open !== undefined && char === '}') templates[templates.length - 1] = open - 1;
      at += 1;
    }
    if (at <= start) break;
    const isComment = code.startsWith('//', start) || code.startsWith('/*', start);
    before = (before + (isComment ? '' : at - start > 1 ? 'x' : char)).slice(-40);
    if (char === '`' || (char === '}' && open === 0)) before = templates.length > 0 ? '(' : 'x';
  }
  return found;
}
