import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { createSlugs } from './slugs.ts';

/** A heading of a document, with the text below it. */
export interface DocumentSection {
  anchor: string;
  title: string;
  /** 1 to 6 */
  level: number;
  /** plain text for the search */
  text: string;
}

export interface RenderedDocument {
  html: string;
  /** in document order; the first one is the title */
  sections: readonly DocumentSection[];
}

/**
 * Resolves a link or picture address relative to the document's page; null: there is no target, so only the text is
 * shown.
 */
export type Resolve = (address: string) => string | null;

/** Ids used by the page around a document (views/docs/frame.tsx). */
const RESERVED = ['content', 'topics', 'q'];

interface Rendering extends Env {
  resolve: Resolve;
  /** for each open link, whether it has a target */
  links: boolean[];
  /** counts of rendered code blocks and tables, whose labels must be unique */
  codes: number;
  tables: number;
}

/**
 * Renders a document of the package. HTML in it stays text, except comments on their own lines, which are dropped.
 * Headings have the same anchors as on GitHub.
 */
export const renderDocument = (text: string, resolve: Resolve): RenderedDocument => {
  const env: Rendering = { resolve, links: [], codes: 0, tables: 0 };
  const tokens = parser.parse(text, env);
  const sections = sectionsOf(tokens);
  return { html: parser.renderer.render(tokens, parser.options, env), sections };
};

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** Allows addresses of other sites and relative ones, but no script, data or protocol-relative addresses. */
parser.validateLink = (address) => /^(?:https?:|mailto:)/i.test(address) || !/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(address);

/** `<!-- tour -->`, a marker for programs. */
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

/** Gives each heading an id, and a link to itself unless it contains another link. */
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
  // A link to a file that is not in the package, such as a source file, shows its path as a tooltip.
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

/** The library aligns columns with inline styles, which the pages' policy forbids. */
for (const name of ['th_open', 'td_open'])
  rules[name] = (tokens, index) => {
    const token = tokens[index];
    const aligned = /right|center/.exec(String(token?.attrGet('style') ?? ''))?.[0];
    return `<${token?.tag ?? 'td'}${aligned === undefined ? '' : ` class="${aligned}"`}>`;
  };
