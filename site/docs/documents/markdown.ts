import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { createSlugs } from './slugs.ts';

/** A heading of a document, with the text below it. */
export interface DocumentSection {
  anchor: string;
  title: string;
  /** level of the heading, 1 to 6 */
  level: number;
  /** plain text for the search */
  text: string;
}

export interface RenderedDocument {
  html: string;
  /** sections in the order of the document; the first heading is the title */
  sections: readonly DocumentSection[];
}

/**
 * Converts the address of a link or picture for the document's page. Returns null if the address has no target. Then
 * only the text of the link is shown.
 */
export type Resolve = (address: string) => string | null;

/** Ids of elements around a document (views/docs/frame.tsx). Headings must not have the same ids. */
const RESERVED = ['content', 'topics', 'q'];

interface Rendering extends Env {
  resolve: Resolve;
  /** for each link whose end has not been rendered yet, whether it has a target */
  links: boolean[];
  /**
   * number of code blocks rendered so far, which makes the labels of code blocks unique; `tables` does the same for
   * tables
   */
  codes: number;
  tables: number;
}

/**
 * Renders a document of the package. HTML in the document is shown as text, except comments on lines of their own,
 * which are removed. Headings have the same anchors as on GitHub.
 */
export const renderDocument = (text: string, resolve: Resolve): RenderedDocument => {
  const env: Rendering = { resolve, links: [], codes: 0, tables: 0 };
  const tokens = parser.parse(text, env);
  const sections = sectionsOf(tokens);
  return { html: parser.renderer.render(tokens, parser.options, env), sections };
};

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });

/**
 * Allows absolute http, https and mailto addresses and relative paths. Rejects `javascript:`, `data:` and
 * protocol-relative addresses.
 */
parser.validateLink = (address) => /^(?:https?:|mailto:)/i.test(address) || !/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(address);

/** Removes comments such as `<!-- tour -->`, which are markers for programs. */
parser.block.ruler.before(
  'code',
  'comment',
  (state, start, _end, silent) => {
    const line = state.src.slice((state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0), state.eMarks[start]);
    if (!/^<!--.*-->\s*$/.test(line)) return false;
    if (!silent) state.line = start + 1;
    return true;
  },
  { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
);

/** Gives each heading an id. Adds a link to the heading itself, unless the heading already contains a link. */
const sectionsOf = (tokens: readonly Token[]): DocumentSection[] => {
  const slug = createSlugs(RESERVED);
  const sections: { anchor: string; title: string; level: number; texts: string[] }[] = [];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const inline = tokens[index + 1];
      const title = plainText(inline?.children ?? []);
      const anchor = slug(title);
      token.attrSet('id', anchor);
      token.meta = inline?.children?.some(({ type }) => type === 'link_open') === true ? null : { anchor };
      const close = tokens.slice(index).find(({ type }) => type === 'heading_close');
      if (close) close.meta = token.meta;
      sections.push({ anchor, title, level: Number(token.tag.slice(1)), texts: [] });
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      const text = token.type === 'inline' ? plainText(token.children ?? []) : token.content;
      if (text !== '') sections.at(-1)?.texts.push(text);
    }
  });
  return sections.map(({ texts, ...section }) => ({ ...section, text: texts.join(' ') }));
};

const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content, children }) =>
      type === 'image' ? plainText(children ?? []) : type.endsWith('break') ? ' ' : content,
    )
    .join('');

const { rules } = parser.renderer;
const escape = parser.utils.escapeHtml;

rules['heading_open'] = (tokens, index, options, _env, renderer) => {
  const anchor = tokens[index]?.meta?.['anchor'];
  const opening = renderer.renderToken(tokens, index, options);
  return typeof anchor === 'string' ? `${opening}<a class="anchor" href="#${escape(anchor)}">` : opening;
};
rules['heading_close'] = (tokens, index, options, _env, renderer) =>
  (tokens[index]?.meta ? '</a>' : '') + renderer.renderToken(tokens, index, options);

rules['link_open'] = (tokens, index, _options, env) => {
  const { resolve, links } = env as Rendering;
  const address = String(tokens[index]?.attrGet('href') ?? '');
  const href = resolve(address);
  links.push(href !== null);
  // A link to a file that is not in the package, such as a source file, becomes a text with the path as a tooltip.
  return href === null ? `<span class="file" title="${escape(address)}">` : `<a href="${escape(href)}">`;
};
rules['link_close'] = (_tokens, _index, _options, env) =>
  (env as Rendering).links.pop() === true ? '</a>' : '</span>';

rules['image'] = (tokens, index, _options, env) => {
  const token = tokens[index];
  const label = escape(plainText(token?.children ?? []));
  const source = (env as Rendering).resolve(String(token?.attrGet('src') ?? ''));
  return source === null ? label : `<img src="${escape(source)}" alt="${label}" loading="lazy">`;
};

const code = (text: string, env: Env | undefined): string => {
  const count = ((env as Rendering).codes += 1);
  return `<pre tabindex="0" role="region" aria-label="Code ${count}"><code>${escape(text)}</code></pre>\n`;
};
rules['fence'] = (tokens, index, _options, env) => code(tokens[index]?.content ?? '', env);
rules['code_block'] = rules['fence'];

rules['table_open'] = (_tokens, _index, _options, env) => {
  const count = ((env as Rendering).tables += 1);
  return `<div class="wide" tabindex="0" role="region" aria-label="Table ${count}"><table>\n`;
};
rules['table_close'] = () => '</table></div>\n';

/** The library aligns columns with inline styles, which the pages' policy forbids. Use classes instead. */
for (const name of ['th_open', 'td_open'])
  rules[name] = (tokens, index) => {
    const token = tokens[index];
    const aligned = /right|center/.exec(String(token?.attrGet('style') ?? ''))?.[0];
    return `<${token?.tag ?? 'td'}${aligned === undefined ? '' : ` class="${aligned}"`}>`;
  };
