import type { Configuration, Purpose } from './events.ts';

/** A record that the owner of a domain must publish in the DNS. */
export interface RequiredRecord {
  purpose: Purpose;
  type: 'TXT';
  /** without a trailing dot */
  name: string;
  /** as one string; name servers split values longer than 255 bytes */
  value: string;
}

type Named = Pick<Configuration, 'domain' | 'selector' | 'public_key' | 'ownership_token' | 'spf'>;

/** The records of a domain in display order. */
export const recordsOf = ({ domain, selector, public_key, ownership_token, spf }: Named): RequiredRecord[] => [
  { purpose: 'dkim', type: 'TXT', name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${public_key}` },
  { purpose: 'spf', type: 'TXT', name: domain, value: spf },
  { purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' },
  { purpose: 'ownership', type: 'TXT', name: `_uptrail.${domain}`, value: `uptrail-verification=${ownership_token}` },
];

/**
 * The SPF record that allows the servers of `MAIL_FROM`, whose domain is used in the envelope.
 *
 * @param mailDomain the domain of `MAIL_FROM`; null if it is not set
 */
export const spfFor = (domain: string, mailDomain: string | null): string =>
  mailDomain === null || mailDomain === domain ? 'v=spf1 mx ~all' : `v=spf1 include:${mailDomain} ~all`;
