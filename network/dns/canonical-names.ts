import { nameBytes, noNames, readName } from './names.ts';

/** A name in canonical spelling: lower case, with the final dot. */
export const dotted = (name: string): string => (name === '.' ? name : `${name.toLowerCase()}.`);

/**
 * Converts a name as people write it, with or without the final dot, to canonical spelling; undefined if it is invalid.
 */
export const spelledName = (name: string): string | undefined => {
  const bytes = nameBytes(name);
  return bytes ? dotted(readName(bytes, 0, bytes.length, noNames()).text) : undefined;
};
