import { parseQualityValue } from './accept-header.ts';

/** Maximum length of the header that is read, in characters. Headers of browsers are far shorter. */
const LONGEST = 1_000;

/**
 * Returns the language that an `Accept-Language` header prefers (RFC 9110, 12.5.4). If several languages are equally
 * preferred, returns the first of them in the header. Returns the first of `languages` if the header contains none of
 * them.
 *
 * @param languages ISO 639-1 codes
 */
export const preferredLanguage = <L extends string>(header: string | undefined, languages: readonly [L, ...L[]]): L => {
  let [best] = languages;
  let highest = 0;
  for (const { name, quality } of (header ?? '').slice(0, LONGEST).split(',').map(parseQualityValue)) {
    const [primary] = name.split('-');
    const language = languages.find((one) => one === primary);
    if (language !== undefined && quality > highest) [best, highest] = [language, quality];
  }
  return best;
};
