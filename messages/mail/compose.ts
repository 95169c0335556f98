import { escaped, oneLine } from '../characters.ts';
import type { Notice, SharedNotice } from '../notice.ts';
import { messageWordingOf } from '../wording.ts';
import { mailHtml } from './html.ts';
import type { Mail } from './mail.ts';
import { mailText } from './text.ts';
import { mailTextsOf, renderTexts, type RenderedTexts } from './texts.ts';
import { createLinkInserter, subscriberLinksOf, LINK_PLACEHOLDERS, type SubscriberLinks } from './subscriber-links.ts';

/** Returns the e-mail about an event for one recipient. */
export const composeMail = (notice: Notice): Mail => mailTemplate(notice)(notice.unsubscribe_url);

/**
 * Prepares the e-mail about an event for any number of recipients. Building the template takes a thousand times as long
 * as inserting a recipient's link, so the template is built only once.
 *
 * @param texts the rendered Markdown, if another thread has rendered it
 * @returns a function that creates the e-mail of a recipient. Its argument is the recipient's unsubscribe URL; null:
 * the e-mail contains no such link
 */
export const mailTemplate = (
  notice: SharedNotice,
  texts: RenderedTexts = renderTexts(mailTextsOf(notice)),
): ((unsubscribeUrl: string | null) => Mail) => {
  const wording = messageWordingOf(notice);
  const subject = oneLine(`[${wording.page}] ${wording.headline}`, LONGEST_SUBJECT);
  const lasting = (links: SubscriberLinks | null): Mail => ({
    subject,
    text: mailText(notice, wording, texts, links),
    html: mailHtml(notice, wording, texts, subject, links),
  });
  let without: Mail | undefined;
  let filled: ((address: string) => Mail) | undefined;
  return (unsubscribeUrl) => {
    if (unsubscribeUrl === null) return (without ??= lasting(null));
    filled ??= createMailInserter(lasting(LINK_PLACEHOLDERS));
    return filled(unsubscribeUrl);
  };
};

/**
 * Maximum length of a subject, in UTF-16 units. Mail programs show 60 to 100 characters, but an incident name can have
 * 200.
 */
const LONGEST_SUBJECT = 150;

const createMailInserter = ({ subject, text, html }: Mail): ((address: string) => Mail) => {
  const [inText, inHtml] = [createLinkInserter(text), createLinkInserter(html)];
  return (address) => ({
    subject,
    text: inText(subscriberLinksOf(address)),
    html: inHtml(subscriberLinksOf(escaped(address))),
  });
};
