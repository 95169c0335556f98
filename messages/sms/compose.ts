import { shortened } from '../characters.ts';
import { linkable } from '../links.ts';
import type { Notice } from '../notice.ts';
import { timesOf } from '../times.ts';
import { messageWordingOf } from '../wording.ts';
import { partsOf, plainPunctuation, withoutAccents } from './parts.ts';

/**
 * Maximum number of parts of an SMS. Each part is billed. The two links can't be truncated: they take up to two parts,
 * or up to four parts if the text is in Cyrillic.
 */
const MOST_PARTS = 4;

/** Maximum length of the headline, and minimum length to which it is truncated, in UTF-16 units. */
const LONGEST = 150;
const SHORTEST = 30;

/** Returns the SMS about an event: what happened, a link to details, and a link to unsubscribe. */
export const composeSms = (notice: Notice): string => {
  const { page, incident, unsubscribe_url: unsubscribe } = notice;
  const { words, page: name, headline } = messageWordingOf(notice);
  const when =
    incident?.status === 'scheduled' && incident.scheduled_for !== null
      ? ` (${timesOf(words, page.time_zone).moment(incident.scheduled_for)})`
      : '';
  const url = page.url === null ? [] : [linkable(page.url)].filter((link) => link !== null);
  const end = unsubscribe === null ? [] : [`${words.sms.unsubscribe} ${unsubscribe}`];
  const whole = (length: number): string => `${shortened(name, 30)}: ${shortened(headline, length)}${when}`;
  const brief = (length: number): string => `${shortened(name, 15)}: ${shortened(headline, length)}`;
  return (
    fitting(whole, [...url, ...end]) ?? fitting(whole, end) ?? fitting(brief, end) ?? withLinks(brief(SHORTEST), end)
  );
};

/**
 * Returns a text followed by links. The text is truncated so that the message fits into the maximum number of parts.
 *
 * @returns null if even the shortest version does not fit
 */
const fitting = (saying: (length: number) => string, links: readonly string[]): string | null => {
  for (let length = LONGEST; length >= SHORTEST; length -= 10) {
    const text = withLinks(saying(length), links);
    if (partsOf(text) <= MOST_PARTS) return text;
  }
  return null;
};

const withLinks = (text: string, links: readonly string[]): string => toCheapestEncoding([text, ...links].join('\n'));

/**
 * Converts a text so that it can be sent with seven bits per character, if only accents are lost by the conversion.
 * Otherwise returns the text unchanged.
 */
export const toCheapestEncoding = (text: string): string => {
  const plain = plainPunctuation(text);
  const bare = withoutAccents(plain);
  return partsOf(bare) < partsOf(plain) ? bare : plain;
};
