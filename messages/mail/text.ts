import { linkable } from '../links.ts';
import type { SharedNotice } from '../notice.ts';
import type { MessageWording } from '../wording.ts';
import { componentLines } from './components.ts';
import { footerText } from './footer.ts';
import type { RenderedTexts } from './texts.ts';
import type { SubscriberLinks } from './subscriber-links.ts';

/** Returns the e-mail about an event as plain text, with the same content as its HTML. */
export const mailText = (
  notice: SharedNotice,
  wording: MessageWording,
  texts: RenderedTexts,
  links: SubscriberLinks | null,
): string => {
  const { words } = wording;
  const { colon } = words;
  const url = notice.page.url === null ? null : linkable(notice.page.url);
  const facts = [
    ...(notice.component_update === null ? [{ label: words.mail.status, value: wording.status.label }] : []),
    ...wording.facts,
  ].map(({ label, value }) => label + colon + value);
  return [
    wording.happened + colon + wording.title,
    [...facts, wording.moment].join('\n'),
    texts.body.text,
    componentLines(wording).join('\n'),
    url === null ? '' : words.mail.viewPage + colon + url,
    footerText(notice.page, wording, texts.footer, links),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
};
