import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { createSlugs } from './slugs.ts';

/** A heading of a document, with the text below it. */
export interface DocumentSection {
  anchor: string;
  title: string;
  /** 1 to 6 */
  level: number;
  /** without markup, for the search */
  text: string;
}

export interface RenderedDocument {
  html: string;
  /** in the order of the document; the first one is its title */
  sections: readonly DocumentSection[];
}

/** Where a link or a picture of the document leads, relative to its page; null: nowhere, so only its text is shown. */
export type Resolve = (address: string) => string | null;

/** Ids of the page around a document (views/docs/frame.tsx). */
const RESERVED = ['content', 'topics', 'q'];

interface Rendering extends Env {
  resolve: Resolve;
  /** of the links that are open at the moment: whether each leads somewhere */
  links: boolean[];
  /** how many blocks of code, and how many tables, were rendered: their labels have to differ */
  codes: number;
  tables: number;
}

/**
 * Renders a document of the package. HTML in it stays text, but for comments on lines of their own, which are left out.
 * Headings have the anchors that GitHub gives them.
 */
export const renderDocument = (text: string, resolve: Resolve): RenderedDocument => {
  const env: Rendering = { resolve, links: [], codes: 0, tables: 0 };
  const tokens = parser.parse(text, env);
  const sections = sectionsOf(tokens);
  return { html: parser.renderer.render(tokens, parser.options, env), sections };
};

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** Addresses of other sites, and relative ones; no scripts, data or protocol-relative addresses. */
parser.validateLink = (address) => /^(?:https?:|mailto:)/i.test(address) || !/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(address);

/** `<!-- tour -->`, a mark for programs. */
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

/** Gives each heading its id, and a link to itself unless it contains another link. */
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
  // What leads to a file that the package does not contain, such as a source, says which one it is.
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
  return `<pre tabindex="0" role="region" aria-label="Code ${count.toString()}"><code>${escape(text)}</code></pre>\n`;
};
rules['fence'] = (tokens, index, _options, env) => code(tokens[index]?.content ?? '', env);
rules['code_block'] = rules['fence'];

rules['table_open'] = (_tokens, _index, _options, env) => {
  const count = ((env as Rendering).tables += 1);
  return `<div class="wide" tabindex="0" role="region" aria-label="Table ${count.toString()}"><table>\n`;
};
rules['table_close'] = () => '</table></div>\n';

/** The library aligns columns by inline styles, which the pages' policy forbids. */
for (const name of ['th_open', 'td_open'])
  rules[name] = (tokens, index) => {
    const token = tokens[index];
    const aligned = /right|center/.exec(String(token?.attrGet('style') ?? ''))?.[0];
    return `<${token?.tag ?? 'td'}${aligned === undefined ? '' : ` class="${aligned}"`}>`;
  };
