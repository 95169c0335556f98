import type { Configuration, Purpose } from './events.ts';

/** A DNS record that the owner of a domain must publish. */
export interface RequiredRecord {
  purpose: Purpose;
  type: 'TXT';
  /** without a trailing dot */
  name: string;
  /** the value as one string; name servers split values longer than 255 bytes */
  value: string;
}

type Named = Pick<Configuration, 'domain' | 'selector' | 'public_key' | 'ownership_token' | 'spf'>;

/** Returns the records of a domain in display order. */
export const recordsOf = ({ domain, selector, public_key, ownership_token, spf }: Named): RequiredRecord[] => [
  { purpose: 'dkim', type: 'TXT', name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${public_key}` },
  { purpose: 'spf', type: 'TXT', name: domain, value: spf },
  { purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' },
  { purpose: 'ownership', type: 'TXT', name: `_uptrail.${domain}`, value: `uptrail-verification=${ownership_token}` },
];

/**
 * Returns the SPF record for a domain. The record allows the servers of the domain of `MAIL_FROM`, because mail has the
 * domain of `MAIL_FROM` in its envelope.
 *
 * @param mailDomain the domain of `MAIL_FROM`; null if `MAIL_FROM` is not set
 */
export const spfFor = (domain: string, mailDomain: string | null): string =>
  mailDomain === null || mailDomain === domain ? 'v=spf1 mx ~all' : `v=spf1 include:${mailDomain} ~all`;
