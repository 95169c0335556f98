import type { MarkedToken, Token, Tokens } from 'marked';
import { clean } from '../characters.ts';
import { withoutEntities } from './entities.ts';
import { marked, markdownTokens } from './tokens.ts';

/**
 * Markdown as plain text that reads well: without the marks of emphasis, links with their address behind them,
 * lists and quotes as people type them. HTML in it stays as it was written.
 */
export const markdownText = (text: string): string =>
  clean(blocks(markdownTokens(text)).replace(/\n{3,}/g, '\n\n'))
    .replace(/^\n+/, '')
    .trimEnd();

/** Blocks with a blank line between them. */
const blocks = (tokens: readonly Token[]): string =>
  marked(tokens)
    .map(block)
    .filter((text) => text !== '')
    .join('\n\n');

const block = (token: MarkedToken): string => {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'hr':
      return '---';
    case 'heading':
      return inline(token.tokens);
    case 'code':
      return indented(token.text, '    ', '    ');
    case 'html':
      return token.raw.trimEnd();
    case 'blockquote':
      return indented(blocks(token.tokens), '> ', '> ');
    case 'list':
      return list(token);
    case 'table':
      return [token.header, ...token.rows].map((row) => row.map((cell) => inline(cell.tokens)).join(' | ')).join('\n');
    default:
      return inline([token]);
  }
};

const list = ({ ordered, start, items, loose }: Tokens.List): string =>
  items
    .map((item, index) => {
      const mark = ordered ? `${((start === '' ? 1 : start) + index).toString()}. ` : '- ';
      return indented(itemText(item), mark, ' '.repeat(mark.length));
    })
    .join(loose ? '\n\n' : '\n');

/** Text right below an item and its lists are one block, unless blank lines part them. */
const itemText = ({ tokens, loose }: Tokens.ListItem): string =>
  loose
    ? blocks(tokens)
    : marked(tokens)
        .map((token) => (token.type === 'checkbox' ? inline([token]) : `${block(token)}\n`))
        .join('')
        .trimEnd();

const inline = (tokens: readonly Token[] | undefined): string => marked(tokens).map(span).join('');

const span = (token: MarkedToken): string => {
  switch (token.type) {
    case 'br':
      return '\n';
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'codespan':
      return token.text;
    case 'escape':
      return token.text;
    case 'html':
      return token.raw;
    case 'image':
      return withAddress(inline(token.tokens).trim(), withoutEntities(token.href));
    case 'link':
      return withAddress(inline(token.tokens), withoutEntities(token.href));
    case 'text':
      return token.tokens === undefined ? withoutEntities(token.text) : inline(token.tokens);
    case 'em':
    case 'strong':
    case 'del':
    case 'paragraph':
      return inline(token.tokens);
    default:
      return token.raw;
  }
};

const withAddress = (text: string, href: string): string => {
  const address = href.replace(/^mailto:/, '');
  const same = text === '' || text === href || text === address || `http://${text}` === href;
  return same ? (text === '' ? href : text) : `${text} (${address})`;
};

const indented = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, index) => (line === '' && others.trim() === '' ? '' : `${index === 0 ? first : others}${line}`))
    .join('\n');
