import { linkable } from '../links.ts';
import { shortened } from '../characters.ts';
import type { AlertTold } from './told.ts';
import { alertWords, regionLines } from './words.ts';

/** What messengers take in one message, UTF-16 units. */
export const LONGEST_CHAT = 4_096;

/** A text for a messenger; what is too long is cut before the link. */
export const chatText = (parts: readonly string[], url: string | null): string => {
  const link = url === null ? null : linkable(url);
  const end = link === null ? '' : `\n\n${link}`;
  return shortened(parts.filter((part) => part !== '').join('\n\n'), LONGEST_CHAT - end.length) + end;
};

/** What a messenger shows of an alert. */
export const alertChat = (told: AlertTold): string => {
  const { headline, state, sentence, facts } = alertWords(told);
  return chatText(
    [
      told.resolved ? headline : `[${state.label}] ${headline}`,
      sentence,
      regionLines(told).join('\n'),
      facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ],
    told.url,
  );
};
