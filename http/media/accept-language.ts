import { parseQualityValue } from './accept-header.ts';

/** Far longer than the header of any browser. */
const LONGEST = 1_000;

/**
 * The language that an `Accept-Language` header prefers (RFC 9110, 12.5.4) among some ISO 639-1 codes. Among equally
 * preferred ones, the first in the header. The first of `languages` if the header contains none of them.
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
