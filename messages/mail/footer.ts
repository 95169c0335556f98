import { escaped, oneLine } from '../characters.ts';
import { linkable } from '../links.ts';
import type { MessageWording } from '../wording.ts';
import type { MailPage } from './layout.ts';
import type { Palette } from './palette.ts';
import type { RenderedText } from './texts.ts';
import type { SubscriberLinks } from './subscriber-links.ts';

/**
 * Returns the content below the card: the page's own footer, the reason why the recipient got this e-mail, and how to
 * unsubscribe.
 *
 * @param own the page's own footer
 * @param links the recipient's own links; null: none
 */
export const footerOf = (
  page: MailPage,
  { words, page: name }: MessageWording,
  own: RenderedText,
  links: SubscriberLinks | null,
  palette: Palette,
): string[] => {
  const color = `color:${palette.onCanvas}`;
  const link = (label: string, address: string): string =>
    `<a href="${address}" style="${color};text-decoration:underline">${escaped(label)}</a>`;
  const support = page.support_url === null ? null : linkable(page.support_url);
  const shown = [
    ...(links === null ? [] : [link(words.mail.unsubscribe, links.unsubscribe), link(words.mail.manage, links.manage)]),
    ...(support === null ? [] : [link(words.mail.support, escaped(support))]),
  ];
  return [
    ...(own.html === '' ? [] : [`<div dir="auto">${own.html}</div>`]),
    `<p style="margin:0 0 8px">${escaped(words.mail.why(name))}</p>`,
    ...(shown.length === 0 ? [] : [`<p style="margin:0">${shown.join(' · ')}</p>`]),
  ];
};

export const footerText = (
  page: MailPage,
  { words, page: name }: MessageWording,
  own: RenderedText,
  links: SubscriberLinks | null,
): string => {
  return [
    '---',
    own.text,
    [
      words.mail.why(name),
      ...(links === null
        ? []
        : [words.mail.unsubscribe + words.colon + links.unsubscribe, words.mail.manage + words.colon + links.manage]),
      ...(page.support_url === null ? [] : [words.mail.support + words.colon + oneLine(page.support_url, 2_048)]),
    ].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};
