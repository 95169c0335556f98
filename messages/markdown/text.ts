import { unreachable } from '../../domain/decider.ts';
import { clean } from '../characters.ts';
import { markdownBlocks } from './tokens.ts';
import type { Block, Inline, Item, List } from './tree.ts';

/**
 * Renders Markdown as readable plain text. Emphasis marks are removed, links are followed by their address, and lists
 * and quotes look as people type them. HTML stays as written.
 */
export const markdownText = (text: string): string =>
  clean(blocksText(markdownBlocks(text)).replace(/\n{3,}/g, '\n\n'))
    .replace(/^\n+/, '')
    .trimEnd();

/** Renders blocks and separates them by blank lines. */
const blocksText = (blocks: readonly Block[]): string =>
  blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n\n');

const blockText = (block: Block): string => {
  switch (block.type) {
    case 'rule':
      return '---';
    case 'paragraph':
    case 'heading':
      return lineText(block.inlines);
    case 'code':
      return indented(block.text, '    ', '    ');
    case 'quote':
      return indented(blocksText(block.blocks), '> ', '> ');
    case 'list':
      return listText(block);
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(lineText).join(' | ')).join('\n');
    default:
      return unreachable(block);
  }
};

const listText = ({ start, items, loose }: List): string =>
  items
    .map((item, index) => {
      const mark = start === null ? '- ' : `${start + index}. `;
      return indented(itemText(item, loose), mark, ' '.repeat(mark.length));
    })
    .join(loose ? '\n\n' : '\n');

/** Renders a list item. In a tight list, no blank lines separate the text of the item and its nested lists. */
const itemText = ({ done, blocks }: Item, loose: boolean): string => {
  const box = done === null ? '' : done ? '☑ ' : '☐ ';
  return (
    box +
    (loose
      ? blocksText(blocks)
      : blocks
          .map((block) => `${blockText(block)}\n`)
          .join('')
          .trimEnd())
  );
};

const lineText = (inlines: readonly Inline[]): string => inlines.map(inlineText).join('');

const inlineText = (inline: Inline): string => {
  switch (inline.type) {
    case 'text':
    case 'code':
      return inline.text;
    case 'break':
      return '\n';
    case 'em':
    case 'strong':
    case 'del':
      return lineText(inline.inlines);
    case 'link':
      return withAddress(lineText(inline.inlines), inline.href);
    case 'image':
      return withAddress(inline.label, inline.href);
    default:
      return unreachable(inline);
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
