import type { MediaType } from './media-types.ts';

/**
 * Returns the media type that an `Accept` header prefers (RFC 9110, 12.5.1), or null if the header accepts none of
 * `types`. If several types are equally preferred, returns the first of them in `types`. For each type, the most
 * specific range that covers the type decides; `q=0` refuses the type. Without a header, every type is accepted.
 */
export const negotiateType = (header: string | undefined, types: readonly MediaType[]): MediaType | null => {
  const [first = null] = types;
  if (header === undefined || header === '' || header === '*/*' || header === first?.name) return first;
  const ranges = header.split(',').map(parseQualityValue);
  let best: MediaType | null = null;
  let highest = 0;
  for (const type of types) {
    const quality = qualityOf(type.name, ranges);
    if (quality > highest) [best, highest] = [type, quality];
  }
  return best;
};

interface Range {
  name: string;
  quality: number;
}

/** Parses one item of an `Accept` or `Accept-Language` header into its name and quality. */
export const parseQualityValue = (range: string): Range => {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  return { name, quality: Number.isNaN(quality) ? 1 : quality };
};

const qualityOf = (name: string, ranges: readonly Range[]): number => {
  // A route whose media type is unknown until the response exists offers `*/*`, which every request accepts.
  if (name === '*/*') return 1;
  const family = `${name.slice(0, name.indexOf('/'))}/*`;
  for (const covering of [name, family, '*/*']) {
    const named = ranges.filter((range) => range.name === covering);
    if (named.length > 0) return Math.max(...named.map(({ quality }) => quality));
  }
  return 0;
};
