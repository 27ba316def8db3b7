import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';

hljs.registerLanguage('sh', bash);
hljs.registerLanguage('js', javascript);
hljs.registerLanguage('json', json);
hljs.registerLanguage('ts', typescript);
hljs.registerLanguage('html', xml);

/** Code with its parts marked, as HTML; undefined for a language that is shown plain. */
export const highlight = (code: string, language: string): string | undefined =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : undefined;
