import { createRequire } from 'node:module';
import type SanitizeHtml from 'sanitize-html';
import { unreachable } from '../../domain/decider.ts';
import { lazy } from '../../domain/lazy.ts';
import { clean, escaped } from '../characters.ts';
import { linkable } from '../links.ts';
import { markdownBlocks } from './tokens.ts';
import type { Block, Cell, Inline, Item, List } from './tree.ts';

/** Loaded for the first text: importing it takes about 100 ms. */
const sanitizer = lazy(() => createRequire(import.meta.url)('sanitize-html') as typeof SanitizeHtml);

/** How the elements look where a style sheet does not reach: declarations of CSS by the name of the element. */
export type ElementStyles = Readonly<Record<string, string>>;

export interface MarkdownLook {
  styles?: ElementStyles;
  /** the level of its highest headings, which follows from what is around it; 3 if absent */
  topHeading?: 2 | 3 | 4;
}

/**
 * Markdown as HTML, as it stands in e-mails and on status pages. Whoever wrote it can show texts and link to
 * absolute addresses of http, https and mailto, and nothing else: HTML in it stays text, and so do links to anything
 * else; images become links to them, since loading one tells its owner who reads. Headings leave out no level.
 */
export const markdownHtml = (text: string, { styles = {}, topHeading = 3 }: MarkdownLook = {}): string => {
  const html = new HtmlWriter(topHeading).blocks(markdownBlocks(text));
  // Entities that the text contained are characters by now.
  return clean(sanitizer()(html, policy(styles)));
};

/** The writer below writes nothing that is not allowed here; this holds if it ever does. */
const policy = (styles: ElementStyles): SanitizeHtml.IOptions => ({
  allowedTags: [
    ...[
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'p',
      'br',
      'hr',
      'blockquote',
      'ul',
      'ol',
      'li',
      'pre',
      'code',
      'em',
      'strong',
      'del',
      'a',
    ],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { '*': ['style'], a: ['href', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'escape',
  parseStyleAttributes: false,
  transformTags: {
    // Only our own styles are left.
    '*': (tagName, { href, rel, start }) => ({
      tagName,
      attribs: {
        ...(href !== undefined && { href }),
        ...(rel !== undefined && { rel }),
        ...(start !== undefined && { start }),
        ...(styles[tagName] !== undefined && { style: styles[tagName] }),
      },
    }),
  },
});

class HtmlWriter {
  readonly #topHeading: number;
  /** of the headings that the present text is under */
  readonly #depths: number[] = [];
  #inLink = false;

  constructor(topHeading: number) {
    this.#topHeading = topHeading;
  }

  blocks(blocks: readonly Block[]): string {
    return blocks.map((block) => this.#block(block)).join('');
  }

  #block(block: Block): string {
    switch (block.type) {
      case 'paragraph':
        return `<p>${this.#inlines(block.inlines)}</p>\n`;
      case 'heading':
        return this.#heading(block.level, block.inlines);
      case 'code':
        return `<pre><code>${escaped(block.text)}\n</code></pre>\n`;
      case 'quote':
        return `<blockquote>\n${this.blocks(block.blocks)}</blockquote>\n`;
      case 'list':
        return this.#list(block);
      case 'table': {
        const body = block.rows.map((row) => this.#row(row, 'td')).join('');
        const rows = body === '' ? '' : `<tbody>${body}</tbody>`;
        return `<table>\n<thead>\n${this.#row(block.head, 'th')}</thead>\n${rows}</table>\n`;
      }
      case 'rule':
        return '<hr>\n';
      default:
        return unreachable(block);
    }
  }

  #heading(depth: number, inlines: readonly Inline[]): string {
    while ((this.#depths.at(-1) ?? 0) >= depth) this.#depths.pop();
    this.#depths.push(depth);
    const level = Math.min(this.#topHeading + this.#depths.length - 1, 6).toString();
    return `<h${level}>${this.#inlines(inlines)}</h${level}>\n`;
  }

  #list({ start, loose, items }: List): string {
    const [opening, closing] = start === null ? ['<ul>', '</ul>'] : [openingOf(start), '</ol>'];
    return `${opening}\n${items.map((item) => this.#item(item, loose)).join('')}${closing}\n`;
  }

  #item({ done, blocks }: Item, loose: boolean): string {
    const box = done === null ? '' : done ? '☑ ' : '☐ ';
    const html = blocks.map((block, index) => {
      if (block.type !== 'paragraph') return this.#block(block);
      const text = `${index === 0 ? box : ''}${this.#inlines(block.inlines)}`;
      return loose ? `<p>${text}</p>\n` : text;
    });
    return `<li>${html.join('')}</li>\n`;
  }

  #row(cells: readonly Cell[], tag: 'th' | 'td'): string {
    return `<tr>\n${cells.map((cell) => `<${tag}>${this.#inlines(cell)}</${tag}>\n`).join('')}</tr>\n`;
  }

  #inlines(inlines: readonly Inline[]): string {
    return inlines.map((inline) => this.#inline(inline)).join('');
  }

  #inline(inline: Inline): string {
    switch (inline.type) {
      case 'text':
        return escaped(inline.text);
      case 'break':
        return '<br>';
      case 'code':
        return `<code>${escaped(inline.text)}</code>`;
      case 'em':
      case 'strong':
      case 'del':
        return `<${inline.type}>${this.#inlines(inline.inlines)}</${inline.type}>`;
      case 'link':
        return this.#link(inline.href, () => this.#inlines(inline.inlines));
      case 'image':
        return this.#link(inline.href, () => escaped(inline.label === '' ? inline.href : inline.label));
      default:
        return unreachable(inline);
    }
  }

  /** A link, and only what it shows where it is in another one or may not be linked. */
  #link(href: string, shown: () => string): string {
    const address = linkable(href);
    if (this.#inLink || address === null) return shown();
    this.#inLink = true;
    try {
      return anchor(address, shown());
    } finally {
      this.#inLink = false;
    }
  }
}

const openingOf = (start: number): string => (start === 1 ? '<ol>' : `<ol start="${start.toString()}">`);

const anchor = (address: string, html: string): string =>
  `<a href="${escaped(address)}" rel="nofollow noopener noreferrer">${html}</a>`;
