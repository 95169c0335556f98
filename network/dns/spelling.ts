import { nameBytes, noNames, readName } from './names.ts';

/** A name in canonical spelling: in lower case, and with the dot at its end. */
export const dotted = (name: string): string => (name === '.' ? name : `${name.toLowerCase()}.`);

/** A name as people write it, with or without that dot, in canonical spelling; undefined if it is not a name. */
export const spelledName = (name: string): string | undefined => {
  const bytes = nameBytes(name);
  return bytes ? dotted(readName(bytes, 0, bytes.length, noNames()).text) : undefined;
};
