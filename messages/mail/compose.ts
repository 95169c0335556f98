import { escaped, oneLine } from '../characters.ts';
import type { Notice, SharedNotice } from '../notice.ts';
import { wordingOf } from '../wording.ts';
import { mailHtml } from './html.ts';
import type { Mail } from './mail.ts';
import { mailText } from './text.ts';
import { mailTextsOf, renderTexts, type RenderedTexts } from './texts.ts';
import { fillingIn, ownLinksOf, PLACES, type OwnLinks } from './unsubscribing.ts';

/** An e-mail about an event, for one receiver. */
export const composeMail = (notice: Notice): Mail => mailTemplate(notice)(notice.unsubscribe_url);

/**
 * An e-mail about an event, for any number of receivers: making it takes a thousand times what filling in a link does.
 *
 * @param texts its Markdown, where another thread has rendered it
 * @returns makes the e-mail of the receiver whose subscription ends at an address; null: at none
 */
export const mailTemplate = (
  notice: SharedNotice,
  texts: RenderedTexts = renderTexts(mailTextsOf(notice)),
): ((unsubscribeUrl: string | null) => Mail) => {
  const wording = wordingOf(notice);
  const subject = oneLine(`[${wording.page}] ${wording.headline}`, LONGEST_SUBJECT);
  const lasting = (links: OwnLinks | null): Mail => ({
    subject,
    text: mailText(notice, wording, texts, links),
    html: mailHtml(notice, wording, texts, subject, links),
  });
  let without: Mail | undefined;
  let filled: ((address: string) => Mail) | undefined;
  return (unsubscribeUrl) => {
    if (unsubscribeUrl === null) return (without ??= lasting(null));
    filled ??= fillingInMail(lasting(PLACES));
    return filled(unsubscribeUrl);
  };
};

/** Mail programs show sixty to a hundred; the name of an incident may have two hundred. */
const LONGEST_SUBJECT = 150;

const fillingInMail = ({ subject, text, html }: Mail): ((address: string) => Mail) => {
  const [inText, inHtml] = [fillingIn(text), fillingIn(html)];
  return (address) => ({
    subject,
    text: inText(ownLinksOf(address)),
    html: inHtml(ownLinksOf(escaped(address))),
  });
};
