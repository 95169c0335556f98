import type { Svcb } from '../../../network/dns/svcb.ts';
import { addressOf, spelledAddress } from './addresses.ts';
import { escaped, quotedString, unescaped, type Word } from './text.ts';

/** The format of a parameter's value. */
interface Kind {
  /** Formats a binary value; returns undefined if the value is not of this kind. */
  present: (value: Buffer) => string | undefined;
  /** Returns the canonical spelling of an entered value (without quotes); undefined if it is not of this kind. */
  spelled: (text: string) => string | undefined;
}

/**
 * Splits a value into pieces of equal length; returns undefined if the value is empty or its final piece is incomplete.
 */
const piecesOf = (value: Buffer, bytes: number): Buffer[] | undefined =>
  value.length === 0 || value.length % bytes !== 0
    ? undefined
    : Array.from({ length: value.length / bytes }, (_, index) => value.subarray(index * bytes, (index + 1) * bytes));

/**
 * Splits a value into strings, each of which is preceded by its length; returns undefined if the final string is
 * incomplete.
 */
const stringsOf = (value: Buffer): Buffer[] | undefined => {
  const strings: Buffer[] = [];
  for (let at = 0; at < value.length;) {
    const end = at + 1 + value.readUInt8(at);
    if (end > value.length) return undefined;
    strings.push(value.subarray(at + 1, end));
    at = end;
  }
  return strings;
};

const allOf = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.includes(undefined) ? undefined : parts.join(',');

const opaque: Kind = {
  present: (value) => (value.length === 0 ? '' : quotedString(value)),
  spelled: (text) => opaque.present(unescaped(text)),
};

const number: Kind = {
  present: (value) => (value.length === 2 ? value.readUInt16BE(0).toString() : undefined),
  spelled: (text) => (/^\d{1,5}$/.test(text) ? Number(text).toString() : undefined),
};

const base64: Kind = {
  present: (value) => value.toString('base64'),
  spelled: (text) => text,
};

const nothing: Kind = {
  present: (value) => (value.length === 0 ? '' : undefined),
  spelled: (text) => (text === '' ? '' : undefined),
};

const addresses = (family: 4 | 6): Kind => ({
  present: (value) =>
    piecesOf(value, family === 4 ? 4 : 16)
      ?.map(addressOf)
      .join(','),
  spelled: (text) => allOf(text.split(',').map((part) => spelledAddress(part.trim(), family))),
});

const keys: Kind = {
  present: (value) =>
    piecesOf(value, 2)
      ?.map((key) => nameOf(key.readUInt16BE(0)))
      .join(','),
  spelled: (text) => {
    const numbers = text.split(',').map((name) => keyOf(name.trim()));
    return numbers.some(Number.isNaN) ? undefined : numbers.sort(ascending).map(nameOf).join(',');
  },
};

/** Escapes an element of a list, before the list is escaped as a string (RFC 9460, A.1). */
const inList = (name: string): string => name.replace(/[\\,]/g, '\\$&');

const quotedList = (names: readonly Buffer[]): string =>
  `"${names.map((name) => escaped(Buffer.from(inList(name.toString('latin1')), 'latin1')).replaceAll(' ', '\\032')).join(',')}"`;

/** A list of ALPN protocol names. */
const protocols: Kind = {
  present: (value) => {
    const names = stringsOf(value);
    return names && quotedList(names);
  },
  spelled: (text) =>
    quotedList(
      [
        ...unescaped(text)
          .toString('latin1')
          .matchAll(/(?:^|,)\s*((?:\\.|[^\\,])*)/gs),
      ].map(([, name = '']) => Buffer.from(name.trim().replace(/\\(.)/gs, '$1'), 'latin1')),
    ),
};

/** The parameters that RFC 9460, 14.3.2 defines. The index of each is the number of its key. */
const KNOWN: readonly (readonly [string, Kind])[] = [
  ['mandatory', keys],
  ['alpn', protocols],
  ['no-default-alpn', nothing],
  ['port', number],
  ['ipv4hint', addresses(4)],
  ['ech', base64],
  ['ipv6hint', addresses(6)],
  ['dohpath', opaque],
];

const nameOf = (key: number): string => KNOWN[key]?.[0] ?? `key${key}`;
const kindOf = (key: number): Kind => KNOWN[key]?.[1] ?? opaque;
const ascending = (one: number, other: number): number => one - other;

/** Returns the number of a key; NaN if `name` is not the name of a key. */
const keyOf = (name: string): number => {
  const known = KNOWN.findIndex(([its]) => its === name.toLowerCase());
  if (known >= 0) return known;
  return /^key\d{1,5}$/i.test(name) ? Number(name.slice('key'.length)) : NaN;
};

const written = (key: number, value: string): string => (value === '' ? nameOf(key) : `${nameOf(key)}=${value}`);

/** Formats the parameters of an SVCB or HTTPS record: `alpn="h2,h3" port=8443`. */
export const presentedParameters = (params: Svcb['params']): string =>
  params.map(({ key, value }) => written(key, kindOf(key).present(value) ?? quotedString(value))).join(' ');

/**
 * Returns the canonical spelling of entered parameters, which may be in any order and with or without quotes; undefined
 * if they are invalid.
 */
export const spelledParameters = (words: readonly Word[]): string | undefined => {
  const parameters: (readonly [number, string])[] = [];
  for (const { text } of words) {
    const [, name = '', inQuotes, bare = ''] = /^([^=]*)(?:="(.*)"|=(.*))?$/s.exec(text) ?? [];
    const key = keyOf(name);
    const value = Number.isNaN(key) ? undefined : kindOf(key).spelled(inQuotes ?? bare);
    if (value === undefined) return undefined;
    parameters.push([key, value]);
  }
  return parameters
    .sort(([one], [other]) => ascending(one, other))
    .map(([key, value]) => written(key, value))
    .join(' ');
};
