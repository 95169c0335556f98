import { shortenTo } from '../shorten.ts';
import type { NotificationMessage } from '../notifier.ts';

/** Maximum length of an escaped payload, in characters. Servers accept request lines of 8 KiB. */
const MOST_CHARACTERS = 6_000;
const LONGEST_TEXT = 500;
/** Parts of the documented body that are omitted if the URL would otherwise be too long. */
const LARGE: ReadonlySet<string> = new Set(['rule', 'check', 'result']);

const escaped = (payload: string): string =>
  // `Buffer` replaces lone surrogates, which UTF-8 and percent-encoding can't represent.
  encodeURIComponent(Buffer.from(payload).toString());

/**
 * Returns the payload of a GET request: the documented body, if it fits. If the URL would be too long, `rule`, `check`
 * and `result` are omitted. If the URL would still be too long, only `event` and the text for people (`message`) are
 * sent.
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
