import { encodeName, emptyNameTable, readName } from './names.ts';

/** Converts a name to canonical spelling: lower case, with the final dot. */
export const canonicalName = (name: string): string => (name === '.' ? name : `${name.toLowerCase()}.`);

/**
 * Converts a name as people write it, with or without the final dot, to canonical spelling. Returns undefined if the
 * name is invalid.
 */
export const parseName = (name: string): string | undefined => {
  const bytes = encodeName(name);
  return bytes ? canonicalName(readName(bytes, 0, bytes.length, emptyNameTable()).text) : undefined;
};
