import type { DnsMetadata, DnsParameters } from '../../domain/check/types/dns.ts';
import { fitMetadata, halved, type Cut } from '../engine/fit-metadata.ts';
import type { Difference } from './expectations.ts';
import type { DnsFinding } from './finding.ts';
import { unknownExpiry } from './whois/expiry.ts';
import type { Registration } from './whois/registration.ts';

/** The facts that a run has collected so far. */
export interface DnsFacts {
  host: string;
  /** the name queried */
  asked: string | null;
  finding: DnsFinding | null;
  /** null if the check expects nothing */
  difference: Difference | null;
  /** name servers of the zone */
  nameservers: string[];
  registration: Registration | null;
}

/** Returns the complete `check_metadata`. Its size is not limited: see `fitDnsMetadata`. */
export const metadataOf = (
  { record_type = 'A', validation_mode = 'contains_all', whois_lookup = false, ...parameters }: DnsParameters,
  { host, asked, finding, difference, nameservers, registration }: DnsFacts,
): DnsMetadata => {
  const { dns_servers: listed = [], expected_answers: expected = [] } = parameters;
  const answered = finding?.response;
  return {
    domain: host,
    query_name: asked,
    record_type,
    ...(listed.length > 0 && { dns_servers: listed }),
    dns_servers_used: listed.length === 0 ? 'system_default' : (answered?.server.text ?? listed.join(', ')),
    answered_by: answered?.peer ?? null,
    transport: answered?.transport ?? null,
    rcode: answered?.message.rcode ?? null,
    authenticated_data: finding?.authenticated ?? null,
    validation_failed: finding?.invalid ?? false,
    validation_mode,
    authoritative_nameservers: nameservers,
    cname_chain: finding ? [...finding.aliases] : [],
    answers: finding?.answers ?? [],
    ttl: finding?.ttl ?? null,
    expected_answers: expected.length === 0 ? null : expected,
    ...(difference && { missing_answers: difference.missing, unexpected_answers: difference.unexpected }),
    ...(whois_lookup && {
      whois_info: registration?.info ?? null,
      whois_error: registration
        ? unknownExpiry(registration, parameters.assertions?.domain_expiration_threshold !== undefined)
        : 'The run ended before the registration was looked up.',
    }),
  };
};

/** Maximum size of the metadata as JSON, in bytes. */
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

/** Shortens the texts of a list to `characters`. */
const shortened =
  (list: Lists, characters: number): Cut<DnsMetadata> =>
  (metadata) => {
    const texts = metadata[list];
    if (!texts?.some((text) => text.length > characters)) return metadata;
    return { ...metadata, [list]: texts.map((text) => shortText(text, characters)) };
  };

/** Halves a list, but leaves at least `least` elements. */
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

/**
 * The cuts that are made one after another until the metadata fits. The first cuts shorten facts that owners know
 * anyway, such as the expected answers.
 */
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

export const fitDnsMetadata = (metadata: DnsMetadata): DnsMetadata => fitMetadata(metadata, MAX_METADATA_BYTES, CUTS);
