import type { Notice } from '../../domain/delivery/notice.ts';
import { linkable } from '../links.ts';
import { shortened } from '../characters.ts';
import type { AlertTold } from './told.ts';
import { alertWords, regionLines } from './words.ts';

/** Maximum length of a chat message, in UTF-16 units. */
export const LONGEST_CHAT = 4_096;

/** Joins the non-empty parts with blank lines. */
export const paragraphs = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** A chat message. Text that is too long is cut before the link. */
export const chatText = (parts: readonly string[], url: string | null): string => {
  const link = url === null ? null : linkable(url);
  const end = link === null ? '' : `\n\n${link}`;
  return shortened(paragraphs(parts), LONGEST_CHAT - end.length) + end;
};

/** The chat message about an alert. */
export const alertChat = (told: AlertTold): string => {
  const { title, body, url } = alertNotice(told, null);
  return chatText([title, body], url);
};

/** The alert as a structured notice. @param about see {@link Notice.about} */
export const alertNotice = (told: AlertTold, about: string | null): Notice => {
  const { headline, state, sentence, facts } = alertWords(told);
  return {
    title: told.resolved ? headline : `[${state.label}] ${headline}`,
    body: paragraphs([
      sentence,
      regionLines(told).join('\n'),
      facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ]),
    url: told.url === null ? null : linkable(told.url),
    severity: told.severity,
    over: told.resolved !== null,
    about,
  };
};
