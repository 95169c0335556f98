import { isHost } from '../../../domain/check/host.ts';
import { isoDate, type DateOrder } from './dates.ts';
import type { WhoisInfo } from './whois-info.ts';
import { MAX_STATUSES, shortText, whoisStatusOf } from './text.ts';
import { linesOf, type Line } from './whois-lines.ts';

/** Field names of registries, in lower case. */
const CREATED = [
  ...['creation date', 'created', 'created on', 'created date', 'domain created', 'record created on', 'registered'],
  ...['registered on', 'registered date', 'registered at', 'registration time', 'registration date'],
  ...['domain registration date', 'domain name commencement date', 'activated', 'domain created on'],
  ...['domain registered', 'entry created', 'record created', 'connected date'],
];
const EXPIRES = [
  ...['registry expiry date', 'registrar registration expiration date', 'expiration date', 'expiry date', 'expires'],
  ...['expires on', 'expires at', 'expire date', 'expire-date', 'expire', 'expired', 'expired on', 'expiry'],
  ...[
    'expiration time',
    'expiration',
    'exp date',
    'paid-till',
    'renewal date',
    'valid until',
    'valid-date',
    'validity',
  ],
  ...['record expires on', 'record expires', 'record expired', 'record will expire on', 'domain expiration date'],
  ...['domain expires', 'domain expires on', 'registry expiration date', 'registrar expiration date'],
];
const UPDATED = [
  ...['updated date', 'updated', 'last updated', 'last updated on', 'last updated date', 'last-update', 'last update'],
  ...['last-updated', 'last modified', 'modified', 'changed', 'record last updated on', 'domain last updated date'],
  ...['record last modified', 'record last updated', 'entry updated'],
];
const STATUS = ['domain status', 'status', 'state', 'registration status', 'eppstatus'];
const REGISTRAR = [
  ...['registrar', 'sponsoring registrar', 'registrar name', 'registrar organization', 'current registrar'],
  ...['authorized agency', 'registration service provider', 'current registar', 'registered by', 'domain support'],
  ...['record maintained by'],
];
const NAMES_IN_REGISTRAR = ['name', 'organization', 'organisation', 'organization name', 'registrar name'];
const DOMAIN = ['domain name', 'domain'];

/**
 * Parses a registry's response; returns null if it contains no registration.
 *
 * @param order the order of day and month if both are numbers; null if unknown
 */
export const infoOfWhois = (text: string, domain: string, order: DateOrder | null): WhoisInfo | null => {
  const lines = linesOf(text);
  const info: WhoisInfo = {
    domain_name: nameIn(lines, domain),
    registrar: registrarIn(lines),
    creation_date: dateIn(lines, CREATED, order),
    expiration_date: dateIn(lines, EXPIRES, order) ?? endInStatus(lines),
    updated_date: dateIn(lines, UPDATED, order),
    status: statusIn(lines),
  };
  const { registrar, creation_date, expiration_date, updated_date } = info;
  return [registrar, creation_date, expiration_date, updated_date].every((field) => field === null) ? null : info;
};

const valuesOf = (lines: readonly Line[], keys: readonly string[]): string[] =>
  lines.filter(({ key }) => keys.includes(key)).map(({ value }) => value);

/**
 * Returns the first date under one of the keys. This date concerns the domain, because the fields of contacts come
 * later.
 */
const dateIn = (lines: readonly Line[], keys: readonly string[], order: DateOrder | null): string | null => {
  for (const line of lines.filter(({ key }) => keys.includes(key))) {
    const date = isoDate(line.value, line.order ?? order);
    if (date !== null) return date;
  }
  return null;
};

/**
 * Some registries write the expiry date into the status: `Connected (2027/03/31)` (.co.jp), `OK-UNTIL 20270331000000`
 * (.ua).
 */
const END_IN_STATUS = /^(connected|ok)(?: |-until )\(?(\d{4}\/?\d{2}\/?\d{2})(?:\d{6})?\)?$/i;

const endInStatus = (lines: readonly Line[]): string | null => {
  const [end] = valuesOf(lines, STATUS).flatMap((value) => END_IN_STATUS.exec(value)?.[2] ?? []);
  return end === undefined ? null : isoDate(end);
};

const nameIn = (lines: readonly Line[], domain: string): string => {
  const names = valuesOf(lines, DOMAIN).map((name) => name.replace(/\.$/, '').toLowerCase());
  return names.find((name) => name === domain) ?? domain;
};

const registrarIn = (lines: readonly Line[]): string | null => {
  const inSection = lines.find(({ section, key }) => section === 'registrar' && NAMES_IN_REGISTRAR.includes(key));
  const [value] = valuesOf(lines, REGISTRAR);
  // Removes Nominet's suffix, which is not part of the name.
  return shortText((value ?? inSection?.value ?? '').replace(/\s*\[Tag = .*\]$/, ''));
};

const statusIn = (lines: readonly Line[]): string[] => {
  const all = valuesOf(lines, STATUS).flatMap((value) => value.replace(END_IN_STATUS, '$1').split(/,\s+/));
  return [...new Set(all.map(whoisStatusOf))].filter((status) => status !== '').slice(0, MAX_STATUSES);
};

/** Returns the server that a response refers to; null if there is none. */
export const referralIn = (text: string, keys: readonly string[]): string | null => {
  const [value = ''] = valuesOf(linesOf(text), keys);
  const host = value
    .replace(/^(?:r?whois|https?):\/\//i, '')
    .replace(/[/:].*$/, '')
    .toLowerCase();
  return isHost(host) && !/^[.-]/.test(host) ? host : null;
};

/** Returns whether a response says that the domain is not registered. */
export const isNotRegistered = (text: string): boolean =>
  /\bno match|\bnot (?:been )?(?:found|registered|exist)|\bno (?:entries|data|object|information|matching)\b|\bstatus:\s*(?:free|available)\b|\bis (?:free|available)\b/i.test(
    text,
  );

/** Returns whether a response says that the rate limit was exceeded. */
export const isRateLimited = (text: string): boolean =>
  /\b(?:limit|quota)\b.{0,40}\bexceed|\bexceed.{0,40}\b(?:limit|quota|rate)\b|\btoo many (?:queries|requests|connections)\b|\bblacklisted\b|\btry again later\b/i.test(
    text,
  );
