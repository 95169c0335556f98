import { isMapping, placedLike } from '../read-yaml.ts';

/** Converts all texts of a value. Mappings and lists keep their places for error messages. */
export const mapTexts = (value: unknown, convert: (text: string) => string): unknown => {
  if (typeof value === 'string') return convert(value);
  if (Array.isArray(value))
    return placedLike(
      value.map((item) => mapTexts(item, convert)),
      value,
    );
  if (!isMapping(value)) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, inner] of Object.entries(value)) copy[key] = mapTexts(inner, convert);
  return placedLike(copy, value);
};
