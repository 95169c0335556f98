import { cutTo } from '../cut.ts';
import type { Message } from '../notifier.ts';

/** Servers take request lines of 8 KiB; characters of a payload as it is escaped. */
const MOST_CHARACTERS = 6_000;
const LONGEST_TEXT = 500;
/** Parts of the documented body that a URL may have no room for. */
const LARGE: ReadonlySet<string> = new Set(['rule', 'check', 'result']);

const escaped = (payload: string): string =>
  // UTF-8 has no halves of characters, which can't be escaped either.
  encodeURIComponent(Buffer.from(payload).toString());

/**
 * What a GET tells, since it has no body: the documented body; without `rule`, `check` and `result`, or else only what
 * people are told (`message`), where the URL would be longer than servers take.
 */
export const payloadForQuery = ({ id, event, subject, text, data }: Message): string => {
  const essential = Object.fromEntries(Object.entries(data).filter(([part]) => !LARGE.has(part)));
  const told = JSON.stringify({ event, message: { id, subject, text: cutTo(text, LONGEST_TEXT) } });
  const fitting = [data, essential]
    .map((parts) => JSON.stringify({ event, ...parts }))
    .find((payload) => escaped(payload).length <= MOST_CHARACTERS);
  return fitting ?? told;
};

/** A URL with a payload in its query, behind what is there. */
export const withPayload = (url: URL, payload: string): URL => {
  const asked = new URL(url);
  asked.search = `${url.search === '' ? '?' : `${url.search}&`}payload=${escaped(payload)}`;
  return asked;
};
