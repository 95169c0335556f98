import { createRequire } from 'node:module';
import type SanitizeHtml from 'sanitize-html';
import { unreachable } from '../../domain/decider.ts';
import { lazy } from '../../domain/concurrency/lazy.ts';
import { clean, escaped } from '../characters.ts';
import { linkable } from '../links.ts';
import { markdownBlocks } from './tokens.ts';
import type { Block, Cell, Inline, Item, List } from './tree.ts';

/** Loaded when the first text is rendered, because importing the module takes about 100 ms. */
const sanitizer = lazy(() => createRequire(import.meta.url)('sanitize-html') as typeof SanitizeHtml);

/** Inline CSS declarations by element name, for e-mails, whose readers may ignore style sheets. */
export type ElementStyles = Readonly<Record<string, string>>;

export interface MarkdownLook {
  styles?: ElementStyles;
  /** level of the highest headings. It depends on the content that surrounds the text. Default: 3 */
  topHeading?: 2 | 3 | 4;
}

/**
 * Renders Markdown as HTML for e-mails and status pages. The HTML contains only text, and links to absolute http, https
 * and mailto addresses. HTML in the text and all other links are shown as text. Images become links, because loading an
 * image would reveal the reader to the image's server. Heading levels are contiguous.
 */
export const markdownHtml = (text: string, { styles = {}, topHeading = 3 }: MarkdownLook = {}): string => {
  const html = new HtmlWriter(topHeading).blocks(markdownBlocks(text));
  // Clean the text after rendering, because rendering decodes entities such as `&#8238;`.
  return clean(sanitizer()(html, policy(styles)));
};

/**
 * Returns the sanitizer's policy. It is a second line of defence: `HtmlWriter` already produces only the allowed
 * elements.
 */
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
    // Removes all styles except those in `styles`.
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
  /** depths of the headings that enclose the current text */
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

  /** Writes a link, or only its text if the link is inside another link or its address must not be linked. */
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

const openingOf = (start: number): string => (start === 1 ? '<ol>' : `<ol start="${start}">`);

const anchor = (address: string, html: string): string =>
  `<a href="${escaped(address)}" rel="nofollow noopener noreferrer">${html}</a>`;
