import { Parser, Renderer, type Tokens } from 'marked';
import sanitizeHtml from 'sanitize-html';
import { clean, escaped } from '../characters.ts';
import { linkable } from '../links.ts';
import { withoutEntities } from './entities.ts';
import { markdownTokens } from './tokens.ts';

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
  const html = Parser.parse(markdownTokens(text), { renderer: new PlainRenderer(topHeading), breaks: true });
  // Entities that the text contained are characters by now.
  return clean(sanitizeHtml(html, policy(styles)));
};

/** The renderer below writes nothing that is not allowed here; this holds if marked ever does. */
const policy = (styles: ElementStyles): sanitizeHtml.IOptions => ({
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

class PlainRenderer extends Renderer {
  readonly #topHeading: number;
  /** of the headings that the present text is under */
  readonly #depths: number[] = [];
  #inLink = false;

  constructor(topHeading: number) {
    super();
    this.#topHeading = topHeading;
  }

  override html({ raw, block }: Tokens.HTML | Tokens.Tag): string {
    const text = escaped(raw.trimEnd()).replaceAll('\n', '<br>');
    return block ? `<p>${text}</p>\n` : text;
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    while ((this.#depths.at(-1) ?? 0) >= depth) this.#depths.pop();
    this.#depths.push(depth);
    const level = Math.min(this.#topHeading + this.#depths.length - 1, 6).toString();
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
  }

  override link({ href, tokens, raw }: Tokens.Link): string {
    if (this.#inLink) return this.parser.parseInline(tokens);
    const address = linkable(withoutEntities(href));
    if (address === null) return escaped(raw);
    this.#inLink = true;
    try {
      return anchor(address, this.parser.parseInline(tokens));
    } finally {
      this.#inLink = false;
    }
  }

  override image({ href, tokens, raw }: Tokens.Image): string {
    const label = this.parser.parseInline(tokens, this.parser.textRenderer).trim();
    if (this.#inLink) return escaped(label === '' ? href : label);
    const address = linkable(withoutEntities(href));
    return address === null ? escaped(raw) : anchor(address, escaped(label === '' ? address : label));
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '☑ ' : '☐ ';
  }

  override tablecell({ header, tokens }: Tokens.TableCell): string {
    const tag = header ? 'th' : 'td';
    return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>\n`;
  }
}

const anchor = (address: string, html: string): string =>
  `<a href="${escaped(address)}" rel="nofollow noopener noreferrer">${html}</a>`;
