import { escaped, oneLine } from '../characters.ts';
import { linkable } from '../links.ts';
import type { Wording } from '../wording.ts';
import type { MailPage } from './layout.ts';
import type { Palette } from './palette.ts';
import type { RenderedText } from './texts.ts';

/**
 * What stands below the card: the page's own footer, why this e-mail came, and how to have no more of them.
 *
 * @param own the page's
 * @param place of the link that ends the subscription; null: there is none
 */
export const footerOf = (
  page: MailPage,
  { words, page: name }: Wording,
  own: RenderedText,
  place: string | null,
  palette: Palette,
): string[] => {
  const color = `color:${palette.onCanvas}`;
  const link = (label: string, address: string): string =>
    `<a href="${address}" style="${color};text-decoration:underline">${escaped(label)}</a>`;
  const support = page.support_url === null ? null : linkable(page.support_url);
  const links = [
    ...(place === null ? [] : [link(words.mail.unsubscribe, place)]),
    ...(support === null ? [] : [link(words.mail.support, escaped(support))]),
  ];
  return [
    ...(own.html === '' ? [] : [`<div dir="auto">${own.html}</div>`]),
    `<p style="margin:0 0 8px">${escaped(words.mail.why(name))}</p>`,
    ...(links.length === 0 ? [] : [`<p style="margin:0">${links.join(' · ')}</p>`]),
  ];
};

export const footerText = (
  page: MailPage,
  { words, page: name }: Wording,
  own: RenderedText,
  place: string | null,
): string => {
  return [
    '---',
    own.text,
    [
      words.mail.why(name),
      ...(place === null ? [] : [words.mail.unsubscribe + words.colon + place]),
      ...(page.support_url === null ? [] : [words.mail.support + words.colon + oneLine(page.support_url, 2_048)]),
    ].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};
