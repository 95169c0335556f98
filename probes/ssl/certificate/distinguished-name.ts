import type { Name } from '@peculiar/asn1-x509';

/** Maximum length of a stored name, in characters. */
const MAX_NAME = 300;

const TYPES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.15': 'businessCategory',
  '2.5.4.17': 'postalCode',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '1.3.6.1.4.1.311.60.2.1.1': 'jurisdictionL',
  '1.3.6.1.4.1.311.60.2.1.2': 'jurisdictionST',
  '1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionC',
};

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

/** Cuts a text to a number of characters, and replaces lone surrogates. */
export const cut = (text: string, most: number): string =>
  (text.length <= most ? text : `${text.slice(0, most - 1)}…`).replace(/\p{Cs}/gu, '\uFFFD');

/** Matches characters that must not appear in sentences: controls, direction marks, line separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes a value as in RFC 4514, 2.4. Also escapes unprintable characters. */
const escaped = (value: string): string =>
  value
    .replace(/[,+"\\<>;]/g, '\\$&')
    .replace(/^[ #]|(?<!^) $/g, '\\$&')
    .replace(UNPRINTABLE, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
    );

/** Formats a distinguished name by RFC 4514: `CN=R11,O=Let's Encrypt,C=US`; shortens a long one. */
export const distinguishedName = (name: Name): string =>
  cut(
    [...name]
      .reverse()
      .map((parts) => parts.map(({ type, value }) => `${TYPES[type] ?? type}=${escaped(value.toString())}`).join('+'))
      .join(','),
    MAX_NAME,
  );

/** Returns a short name for sentences: the common name, otherwise the organization, otherwise the whole name. */
export const shortName = (name: Name): string => {
  const parts = [...name].flatMap((part) => [...part]);
  const found =
    parts.findLast(({ type }) => type === COMMON_NAME) ?? parts.findLast(({ type }) => type === ORGANIZATION);
  return (
    cut(found ? found.value.toString().replace(UNPRINTABLE, '?') : distinguishedName(name), 64) || 'without a name'
  );
};

/** Returns whether a name begins with all parts of another name. */
export const beginsWith = (name: Name, base: Name): boolean =>
  base.length <= name.length && [...base].every((part, index) => comparable(part) === comparable(name[index]));

/** Returns whether two names are the same except for case and white space (RFC 5280, 7.1). */
export const isSameName = (one: Name, other: Name): boolean => one.length === other.length && beginsWith(one, other);

/** Normalises a part of a name for comparison. */
const comparable = (part: Name[number] | undefined): string =>
  Array.from(part ?? new Set<Name[number][number]>())
    .map(({ type, value }) => `${type}=${value.toString().trim().toLowerCase().replace(/\s+/g, ' ')}`)
    .sort()
    .join('+');
