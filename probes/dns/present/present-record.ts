import type { DnsRecord } from '../../../network/dns/message.ts';
import type { Rdata } from '../../../network/dns/rdata.ts';
import { spelledAddress } from './addresses.ts';
import { presentedParameters } from './service-parameters.ts';
import { canonicalName } from '../../../network/dns/canonical-names.ts';
import { escaped, quotedString } from './text.ts';

const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();

/**
 * Formats a record's data like `dig +short +nosplit`, but with names in lower case and with the strings of a TXT record
 * joined and without quotes. Every name ends with a dot.
 */
export const presentRecord = (record: DnsRecord): string =>
  partsOf(record)
    .filter((part) => part !== '')
    .join(' ');

const partsOf = (record: Rdata): (string | number)[] => {
  switch (record.type) {
    case 'A':
      return [record.data];
    case 'AAAA':
      return [spelledAddress(record.data, 6) ?? record.data];
    case 'CNAME':
    case 'DNAME':
    case 'NS':
    case 'PTR':
      return [canonicalName(record.data)];
    case 'CAA': {
      const { flags, tag, value } = record.data;
      return [flags, escaped(tag).toLowerCase(), quotedString(value)];
    }
    case 'DNSKEY': {
      const { flags, protocol, algorithm, key } = record.data;
      return [flags, protocol, algorithm, key.toString('base64')];
    }
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = record.data;
      return [keyTag, algorithm, digestType, hex(digest)];
    }
    case 'HTTPS':
    case 'SVCB': {
      const { priority, target, params } = record.data;
      return [priority, canonicalName(target), presentedParameters(params)];
    }
    case 'MX': {
      const { preference, exchange } = record.data;
      return [preference, canonicalName(exchange)];
    }
    case 'NAPTR': {
      const { order, preference, flags, services, regexp, replacement } = record.data;
      return [order, preference, ...[flags, services, regexp].map(quotedString), canonicalName(replacement)];
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return [canonicalName(mname), canonicalName(rname), serial, refresh, retry, expire, minimum];
    }
    case 'SRV': {
      const { priority, weight, port, target } = record.data;
      return [priority, weight, port, canonicalName(target)];
    }
    case 'SSHFP': {
      const { algorithm, hash, fingerprint } = record.data;
      return [algorithm, hash, hex(fingerprint)];
    }
    case 'TLSA': {
      const { usage, selector, matchingType, certificate } = record.data;
      return [usage, selector, matchingType, hex(certificate)];
    }
    case 'TXT':
      return [escaped(Buffer.concat(record.data))];
    default:
      // RFC 3597, 5
      return ['\\#', record.data.length, hex(record.data)];
  }
};
