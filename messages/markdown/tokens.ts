import { Lexer, Tokenizer, type MarkedToken, type Token, type Tokens, type TokensList } from 'marked';
import { clean } from '../characters.ts';

/** Quotes, lists, emphasis and links inside one another; what lies deeper stays as it was written. */
const DEEPEST = 8;

/** Characters that may be searched for the ends of emphasis in one text, before asterisks stay asterisks. */
const MOST_SEARCHED = 1_000_000;

/** Characters that are looked through at once for the end of ordinary text, or of an address. */
const STRETCH = 2_100;

/**
 * Reads Markdown as marked does, but in bounded time and depth, whatever the text: marked alone overflows the stack
 * at 25,000 nested quotes, and takes seconds for as many asterisks and underscores that open and never close.
 */
class BoundedTokenizer extends Tokenizer {
  #depth = 0;
  #searched = 0;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#within(() => super.list(src));
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return this.#within(() => super.link(src));
  }

  override reflink(src: string, links: TokensList['links']): Tokens.Link | Tokens.Image | Tokens.Text | undefined {
    return this.#within(() => super.reflink(src, links));
  }

  override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#searching(src, /^[*_]/, () => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
    return this.#searching(src, /^~/, () => super.del(src, maskedSrc, prevChar));
  }

  /** Addresses that stand alone; nothing so long is one. */
  override url(src: string): Tokens.Link | undefined {
    return super.url(src.slice(0, STRETCH));
  }

  /** Ordinary text up to the next character that could mean something: never from within a word, if it has blanks. */
  override inlineText(src: string): Tokens.Text | undefined {
    if (src.length <= STRETCH) return super.inlineText(src);
    const blank = src.lastIndexOf(' ', STRETCH);
    return super.inlineText(src.slice(0, blank > 0 ? blank : STRETCH));
  }

  #within<T>(read: () => T): T | undefined {
    if (this.#depth === DEEPEST) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  #searching<T>(src: string, opening: RegExp, read: () => T): T | undefined {
    if (!opening.test(src)) return undefined;
    this.#searched += src.length;
    return this.#searched > MOST_SEARCHED ? undefined : this.#within(read);
  }
}

/** GitHub's Markdown, in which a line break is one, as people who type into a form expect. */
export const markdownTokens = (text: string): MarkedToken[] => {
  const tokenizer = new BoundedTokenizer();
  return marked(new Lexer({ gfm: true, breaks: true, tokenizer }).lex(clean(text)));
};

/** There are no extensions, so no tokens but marked's own. */
export const marked = (tokens: readonly Token[] | undefined): MarkedToken[] => (tokens ?? []) as MarkedToken[];
