import type { RecordType } from '../../../domain/check/types/dns.ts';
import { spelledAddress } from './addresses.ts';
import { spelledParameters } from './service-parameters.ts';
import { parseName } from '../../../network/dns/canonical-names.ts';
import { quotedString, unescaped, wordsOf, type Word } from './text.ts';

/** Returns the canonical spelling of a value; undefined if the text is not such a value. */
type Field = (text: string) => string | undefined;

/** Like {@link Field}, but for the final field of a record, which may consist of several words. */
type Rest = (words: readonly Word[]) => string | undefined;

const number: Field = (text) => (/^\d{1,10}$/.test(text) ? Number(text).toString() : undefined);
const string: Field = (text) => quotedString(unescaped(text));
const lowerCase: Field = (text) => text.toLowerCase();
const ipv4: Field = (text) => spelledAddress(text, 4);
const ipv6: Field = (text) => spelledAddress(text, 6);

const base64: Rest = (words) => words.map(({ text }) => text).join('');
const hex: Rest = (words) => base64(words)?.toUpperCase();

interface Layout {
  fields: readonly Field[];
  rest?: Rest;
}

const LAYOUTS: Readonly<Record<Exclude<RecordType, 'TXT'>, Layout>> = {
  A: { fields: [ipv4] },
  AAAA: { fields: [ipv6] },
  CAA: { fields: [number, lowerCase, string] },
  CNAME: { fields: [parseName] },
  DNAME: { fields: [parseName] },
  DNSKEY: { fields: [number, number, number], rest: base64 },
  DS: { fields: [number, number, number], rest: hex },
  HTTPS: { fields: [number, parseName], rest: spelledParameters },
  MX: { fields: [number, parseName] },
  NAPTR: { fields: [number, number, string, string, string, parseName] },
  NS: { fields: [parseName] },
  PTR: { fields: [parseName] },
  SOA: { fields: [parseName, parseName, number, number, number, number, number] },
  SRV: { fields: [number, number, number, parseName] },
  SSHFP: { fields: [number, number], rest: hex },
  SVCB: { fields: [number, parseName], rest: spelledParameters },
  TLSA: { fields: [number, number, number], rest: hex },
};

/**
 * Returns the canonical forms by which answers are compared. Two texts with the same meaning have a form in common,
 * whatever the spelling of names, addresses, numbers and white space. Example: `10 MAIL.example.com` and
 * `10  mail.example.com.`
 *
 * @param text a presented answer, or an expected one
 */
export const canonicalFormsOf = (type: RecordType, text: string): string[] => {
  if (type === 'TXT') return textMeanings(text.trim());
  const words = wordsOf(text);
  const { fields, rest } = LAYOUTS[type];
  const parts = fields.map((spelled, index) => {
    const word = words[index];
    return word && spelled(word.text);
  });
  const more = words.slice(fields.length);
  if (more.length > 0) parts.push(rest?.(more));
  // Text that is not valid data of this type has only its literal meaning.
  return [parts.includes(undefined) ? text.trim() : parts.join(' ')];
};

const QUOTED_STRINGS = /^"(?:\\.|[^"\\])*"(?:\s*"(?:\\.|[^"\\])*")*$/s;

/**
 * Returns the meanings of a text. A quoted text is in presentation format and has one meaning. In other texts, a
 * backslash may be an escape or a literal character, so both meanings count.
 */
const textMeanings = (text: string): string[] => {
  const spaced = (bytes: Buffer): string => bytes.toString('latin1').replace(/\s+/g, ' ').trim();
  if (QUOTED_STRINGS.test(text)) return [spaced(unescaped(base64(wordsOf(text)) ?? ''))];
  return [...new Set([spaced(unescaped(text)), spaced(Buffer.from(text))])];
};
