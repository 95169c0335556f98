import type { DnsMetadata } from '../../domain/check/types/dns.ts';
import { fitted, halved, type Cut } from '../probe/fitting.ts';

/** Bytes as JSON. */
export const MAX_METADATA_BYTES = 32 * 1024;

type Lists =
  | 'expected_answers'
  | 'missing_answers'
  | 'unexpected_answers'
  | 'answers'
  | 'authoritative_nameservers'
  | 'dns_servers';

const shortText = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters - 1)}…` : text;

/** Shortens what is longer in a list. */
const shortened =
  (list: Lists, characters: number): Cut<DnsMetadata> =>
  (metadata) => {
    const texts = metadata[list];
    if (!texts?.some((text) => text.length > characters)) return metadata;
    return { ...metadata, [list]: texts.map((text) => shortText(text, characters)) };
  };

/** Halves a list that has more elements than should always stay. */
const shorter =
  (list: Lists | 'cname_chain', least: number): Cut<DnsMetadata> =>
  (metadata) => {
    const elements = metadata[list];
    return elements && elements.length > least ? { ...metadata, [list]: halved<unknown>(elements, least) } : metadata;
  };

const shortenedAliases: Cut<DnsMetadata> = (metadata) => {
  const { cname_chain: aliases } = metadata;
  if (!aliases.some(({ name, target }) => Math.max(name.length, target.length) > SHORT)) return metadata;
  return {
    ...metadata,
    cname_chain: aliases.map((alias) => ({
      ...alias,
      name: shortText(alias.name, SHORT),
      target: shortText(alias.target, SHORT),
    })),
  };
};

const shorterWhois: Cut<DnsMetadata> = (metadata) => {
  const { whois_info: info } = metadata;
  return info && info.status.length > 5
    ? { ...metadata, whois_info: { ...info, status: halved(info.status, 5) } }
    : metadata;
};

const LONG = 1_000;
const SHORT = 100;

/** What owners know themselves goes first, the answers last. */
const CUTS: readonly Cut<DnsMetadata>[] = [
  shortened('expected_answers', SHORT),
  shorter('expected_answers', 5),
  shortened('missing_answers', SHORT),
  shorter('missing_answers', 5),
  shortened('unexpected_answers', SHORT),
  shorter('unexpected_answers', 5),
  shorter('cname_chain', 5),
  shorter('authoritative_nameservers', 5),
  shorterWhois,
  shortened('answers', LONG),
  shorter('answers', 10),
  shortened('answers', SHORT),
  shortened('authoritative_nameservers', SHORT),
  shortenedAliases,
  shortened('dns_servers', SHORT),
  (metadata) =>
    metadata.dns_servers_used.length > LONG
      ? { ...metadata, dns_servers_used: shortText(metadata.dns_servers_used, LONG) }
      : metadata,
];

export const fittedMetadata = (metadata: DnsMetadata): DnsMetadata => fitted(metadata, MAX_METADATA_BYTES, CUTS);
