import { isoDate } from './dates.ts';
import type { WhoisInfo } from './whois-info.ts';
import { MAX_STATUSES, shortText, statusOf } from './text.ts';

/**
 * Parses an RDAP domain object (RFC 9083, 5.3); returns null if `body` is not one. The data is untrusted, so the type
 * of every field is checked.
 */
export const infoOfRdap = (body: unknown, domain: string): WhoisInfo | null => {
  if (!isObject(body) || (body['objectClassName'] !== undefined && body['objectClassName'] !== 'domain')) return null;
  const name = textOf(body['ldhName']);
  const info: WhoisInfo = {
    domain_name: name === null ? domain : name.replace(/\.$/, '').toLowerCase(),
    registrar: registrarOf(body),
    creation_date: dateOf(body, 'registration'),
    expiration_date: dateOf(body, 'expiration'),
    updated_date: dateOf(body, 'last changed'),
    status: objectsOrTexts(body['status'])
      .filter((status) => typeof status === 'string')
      .map(statusOf)
      .filter((status) => status !== '')
      .slice(0, MAX_STATUSES),
  };
  const { registrar, creation_date, expiration_date, updated_date, status } = info;
  const said = [registrar, creation_date, expiration_date, updated_date, ...status].some((fact) => fact !== null);
  return said || name !== null || body['objectClassName'] === 'domain' ? info : null;
};

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const objectsOrTexts = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const objectsOf = (value: unknown): Json[] => objectsOrTexts(value).filter(isObject);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? shortText(value) : null);

const dateOf = (body: Json, action: string): string | null => {
  const event = objectsOf(body['events']).find(({ eventAction }) => textOf(eventAction)?.toLowerCase() === action);
  const date = event?.['eventDate'];
  return typeof date === 'string' ? isoDate(date) : null;
};

/** Returns the name in the registrar's jCard (RFC 7095); without a name, the registrar's handle. */
const registrarOf = (body: Json): string | null => {
  const registrar = objectsOf(body['entities']).find(({ roles }) => objectsOrTexts(roles).includes('registrar'));
  if (!registrar) return null;
  const [, properties] = objectsOrTexts(registrar['vcardArray']);
  const values = objectsOrTexts(properties).filter((property) => Array.isArray(property)) as unknown[][];
  for (const wanted of ['fn', 'org']) {
    const name = textOf(values.find(([property]) => property === wanted)?.[3]);
    if (name !== null) return name;
  }
  return textOf(registrar['handle']);
};
