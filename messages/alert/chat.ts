import type { DeliveryMessage } from '../../domain/delivery/message.ts';
import { linkable } from '../links.ts';
import { shortened } from '../characters.ts';
import type { AlertFacts } from './alert-facts.ts';
import { alertWords, regionLines } from './words.ts';

/** Maximum length of a chat message, in UTF-16 units. */
export const LONGEST_CHAT = 4_096;

/** Joins the non-empty parts with blank lines. */
export const paragraphs = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** Returns a chat message that ends with the link. A long text is truncated, so that the link remains complete. */
export const chatText = (parts: readonly string[], url: string | null): string => {
  const link = url === null ? null : linkable(url);
  const end = link === null ? '' : `\n\n${link}`;
  return shortened(paragraphs(parts), LONGEST_CHAT - end.length) + end;
};

/** Returns the chat message about an alert. */
export const alertChat = (alert: AlertFacts): string => {
  const { title, body, url } = alertNotice(alert, null);
  return chatText([title, body], url);
};

/** Returns a structured message about the alert. @param about see {@link DeliveryMessage.about} */
export const alertNotice = (alert: AlertFacts, about: string | null): DeliveryMessage => {
  const { headline, state, sentence, facts } = alertWords(alert);
  return {
    title: alert.resolved ? headline : `[${state.label}] ${headline}`,
    body: paragraphs([
      sentence,
      regionLines(alert).join('\n'),
      facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ]),
    url: alert.url === null ? null : linkable(alert.url),
    severity: alert.severity,
    over: alert.resolved !== null,
    about,
  };
};
