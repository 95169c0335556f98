import { isHost } from '../../../domain/check/host.ts';
import { isoDate } from './dates.ts';
import type { WhoisInfo } from './info.ts';
import { MAX_STATUSES, shortText, whoisStatusOf } from './text.ts';
import { linesOf, type Line } from './whois-lines.ts';

/** Names that registries give a field, in lower case. */
const CREATED = [
  ...['creation date', 'created', 'created on', 'created date', 'domain created', 'record created on', 'registered'],
  ...['registered on', 'registered date', 'registered at', 'registration time', 'registration date'],
  ...['domain registration date', 'domain name commencement date', 'activated', 'domain created on'],
];
const EXPIRES = [
  ...['registry expiry date', 'registrar registration expiration date', 'expiration date', 'expiry date', 'expires'],
  ...[
    'expires on',
    'expires at',
    'expire date',
    'expire',
    'expiration time',
    'expiration',
    'paid-till',
    'renewal date',
  ],
  ...['record expires on', 'domain expiration date', 'domain expires', 'validity', 'valid until', 'valid-date'],
];
const UPDATED = [
  ...['updated date', 'updated', 'last updated', 'last updated on', 'last updated date', 'last-update', 'last update'],
  ...['last modified', 'modified', 'changed', 'record last updated on', 'domain last updated date'],
];
const STATUS = ['domain status', 'status', 'state', 'registration status', 'eppstatus'];
const REGISTRAR = [
  ...['registrar', 'sponsoring registrar', 'registrar name', 'registrar organization', 'current registrar'],
  ...['authorized agency', 'registration service provider', 'current registar'],
];
const NAMES_IN_REGISTRAR = ['name', 'organization', 'organisation', 'organization name', 'registrar name'];
const DOMAIN = ['domain name', 'domain'];

/** Reads a registry's answer; null if it says nothing about a registration. */
export const infoOfWhois = (text: string, domain: string): WhoisInfo | null => {
  const lines = linesOf(text);
  const info: WhoisInfo = {
    domain_name: nameIn(lines, domain),
    registrar: registrarIn(lines),
    creation_date: dateIn(lines, CREATED),
    expiration_date: dateIn(lines, EXPIRES),
    updated_date: dateIn(lines, UPDATED),
    status: statusIn(lines),
  };
  const { registrar, creation_date, expiration_date, updated_date } = info;
  return [registrar, creation_date, expiration_date, updated_date].every((field) => field === null) ? null : info;
};

const valuesOf = (lines: readonly Line[], keys: readonly string[]): string[] =>
  lines.filter(({ key }) => keys.includes(key)).map(({ value }) => value);

/** The first date under one of the names: data of the domain comes before that of its contacts. */
const dateIn = (lines: readonly Line[], keys: readonly string[]): string | null => {
  for (const value of valuesOf(lines, keys)) {
    const date = isoDate(value);
    if (date !== null) return date;
  }
  return null;
};

const nameIn = (lines: readonly Line[], domain: string): string => {
  const names = valuesOf(lines, DOMAIN).map((name) => name.replace(/\.$/, '').toLowerCase());
  return names.find((name) => name === domain) ?? domain;
};

const registrarIn = (lines: readonly Line[]): string | null => {
  const inSection = lines.find(({ section, key }) => section === 'registrar' && NAMES_IN_REGISTRAR.includes(key));
  const [value] = valuesOf(lines, REGISTRAR);
  // Nominet's addition is not part of the name.
  return shortText((value ?? inSection?.value ?? '').replace(/\s*\[Tag = .*\]$/, ''));
};

const statusIn = (lines: readonly Line[]): string[] => {
  const all = valuesOf(lines, STATUS).flatMap((value) => value.split(/,\s+/));
  return [...new Set(all.map(whoisStatusOf))].filter((status) => status !== '').slice(0, MAX_STATUSES);
};

/** A server that an answer refers to; null if there is none. */
export const referralIn = (text: string, keys: readonly string[]): string | null => {
  const [value = ''] = valuesOf(linesOf(text), keys);
  const host = value
    .replace(/^(?:r?whois|https?):\/\//i, '')
    .replace(/[/:].*$/, '')
    .toLowerCase();
  return isHost(host) && !/^[.-]/.test(host) ? host : null;
};

/** Whether a registry says that nobody has a domain. */
export const isFree = (text: string): boolean =>
  /\bno match|\bnot (?:been )?(?:found|registered|exist)|\bno (?:entries|data|object|information|matching)\b|\bstatus:\s*(?:free|available)\b|\bis (?:free|available)\b/i.test(
    text,
  );

/** Whether a server wants fewer questions. */
export const wantsFewer = (text: string): boolean =>
  /\b(?:limit|quota)\b.{0,40}\bexceed|\bexceed.{0,40}\b(?:limit|quota|rate)\b|\btoo many (?:queries|requests|connections)\b|\bblacklisted\b|\btry again later\b/i.test(
    text,
  );
