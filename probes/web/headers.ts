import type { IncomingHttpHeaders } from 'node:http';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { isNeverStored } from '../engine/credential-headers.ts';

const MAX_HEADERS = 64;
const MAX_VALUE = 512;
const MAX_TOTAL = 8_192;

/** Returns the headers to store in a result. Masks secrets, and shortens long values and lists. */
export const storedHeaders = (headers: IncomingHttpHeaders, mask: (text: string) => string): Record<string, string> => {
  const stored: Record<string, string> = {};
  let total = 0;
  for (const [name, given] of Object.entries(headers).slice(0, MAX_HEADERS)) {
    if (given === undefined) continue;
    const value = isNeverStored(name) ? MASKED_TEXT : mask(typeof given === 'string' ? given : given.join(', '));
    const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
    total += name.length + shown.length;
    if (total > MAX_TOTAL) break;
    const key = name.length > MAX_VALUE ? name.slice(0, MAX_VALUE) : name;
    // A header can be named `__proto__`. A plain assignment to this key would change the prototype of the object.
    if (key === '__proto__') Object.defineProperty(stored, key, { value: shown, enumerable: true, configurable: true });
    else stored[key] = shown;
  }
  return stored;
};
