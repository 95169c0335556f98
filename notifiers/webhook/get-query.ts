import { shortenTo } from '../shorten.ts';
import type { NotificationMessage } from '../notifier.ts';

/** Maximum length of an escaped payload, characters; servers accept request lines of 8 KiB. */
const MOST_CHARACTERS = 6_000;
const LONGEST_TEXT = 500;
/** Parts of the documented body that are left out of a URL that would be too long. */
const LARGE: ReadonlySet<string> = new Set(['rule', 'check', 'result']);

const escaped = (payload: string): string =>
  // Replaces lone surrogates, which UTF-8 and percent-encoding can't represent.
  encodeURIComponent(Buffer.from(payload).toString());

/**
 * The payload of a GET: the documented body. If the URL would be too long, `rule`, `check` and `result` are left out;
 * if it still would be, only the text for people (`message`) remains.
 */
export const payloadForQuery = ({ id, event, subject, text, data }: NotificationMessage): string => {
  const essential = Object.fromEntries(Object.entries(data).filter(([part]) => !LARGE.has(part)));
  const told = JSON.stringify({ event, message: { id, subject, text: shortenTo(text, LONGEST_TEXT) } });
  const fitting = [data, essential]
    .map((parts) => JSON.stringify({ event, ...parts }))
    .find((payload) => escaped(payload).length <= MOST_CHARACTERS);
  return fitting ?? told;
};

/** Appends a payload to the query of a URL. */
export const withPayload = (url: URL, payload: string): URL => {
  const asked = new URL(url);
  asked.search = `${url.search === '' ? '?' : `${url.search}&`}payload=${escaped(payload)}`;
  return asked;
};
