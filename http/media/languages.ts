import { rangeOf } from './accept.ts';

/** What browsers send is far shorter. */
const LONGEST = 1_000;

/**
 * The language that an `Accept-Language` header prefers among some (RFC 9110, 12.5.4), each an ISO 639-1 code: of
 * equals the one that the header names first, and the first of all where it names none of them.
 */
export const preferredLanguage = <L extends string>(header: string | undefined, languages: readonly [L, ...L[]]): L => {
  let [best] = languages;
  let highest = 0;
  for (const { name, quality } of (header ?? '').slice(0, LONGEST).split(',').map(rangeOf)) {
    const [primary] = name.split('-');
    const language = languages.find((one) => one === primary);
    if (language !== undefined && quality > highest) [best, highest] = [language, quality];
  }
  return best;
};
