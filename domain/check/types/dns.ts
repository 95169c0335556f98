import { Type, type Static } from '@sinclair/typebox';
import { DNS_SERVER_SENTENCE, parseDnsServer } from '../dns-server.ts';
import { defineCheckType } from './check-type.ts';
import { KEEP_INPUT, commonParameters, oneOf } from './common.ts';
import { orNull } from './metadata.ts';

export const RECORD_TYPES = [
  'A',
  'AAAA',
  'CAA',
  'CNAME',
  'DNAME',
  'DNSKEY',
  'DS',
  'HTTPS',
  'MX',
  'NAPTR',
  'NS',
  'PTR',
  'SOA',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** Parameters of dns checks (docs/reference/dns-checks.md#parameters). */
export const DnsParameters = Type.Object(
  {
    ...commonParameters,
    record_type: Type.Optional({ ...oneOf(RECORD_TYPES), default: 'A' }),
    /** the DNS servers to query, one after another until one answers; default: the servers of the system */
    dns_servers: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 255,
          check: (text: string) => parseDnsServer(text) !== null,
          sentence: DNS_SERVER_SENTENCE,
          description: DNS_SERVER_SENTENCE,
          examples: ['192.0.2.53', 'tls://dns.example.com', 'https://dns.example.com/dns-query'],
        }),
        { maxItems: 10 },
      ),
    ),
    expected_answers: Type.Optional(Type.Array(Type.String({ maxLength: 4_096 }), { maxItems: 100 })),
    validation_mode: Type.Optional({ ...oneOf(['contains_all', 'exact']), default: 'contains_all' }),
    whois_lookup: Type.Optional(Type.Boolean({ default: false })),
    assertions: Type.Optional(
      Type.Object(
        {
          domain_expiration_threshold: Type.Optional(
            Type.Integer({
              minimum: 0,
              description:
                'seconds; the check fails if the registration of the domain ends sooner. If the end is unknown, whois_error of the result explains why. Requires whois_lookup',
            }),
          ),
        },
        KEEP_INPUT,
      ),
    ),
  },
  KEEP_INPUT,
);
export type DnsParameters = Static<typeof DnsParameters>;

/** `check_metadata` of dns results. */
export const DnsMetadata = Type.Object({
  /** the host of the check */
  domain: Type.String(),
  /** the name in the DNS query, such as the reverse name of an address; null if the host has no such name */
  query_name: orNull(Type.String()),
  record_type: oneOf(RECORD_TYPES),
  /** `dns_servers` in the parameters; absent if there are none */
  dns_servers: Type.Optional(Type.Array(Type.String())),
  /**
   * `system_default` without servers in the parameters; otherwise the server that answered, or all servers if none
   * answered
   */
  dns_servers_used: Type.String(),
  /** the address and port of the server that answered, such as `127.0.0.1:53`; null if none answered */
  answered_by: orNull(Type.String()),
  transport: orNull(oneOf(['udp', 'tcp', 'tls', 'https'])),
  /** response code, such as `NOERROR` or `NXDOMAIN`; null without an answer */
  rcode: orNull(Type.String()),
  /** whether the server validated the answer with DNSSEC (the AD flag); null without an answer */
  authenticated_data: orNull(Type.Boolean()),
  /** whether the server withholds its answer because DNSSEC validation fails */
  validation_failed: Type.Boolean(),
  validation_mode: oneOf(['contains_all', 'exact']),
  /** the name servers of the zone; empty if unknown */
  authoritative_nameservers: Type.Array(Type.String()),
  /** the aliases that lead from the queried name to the name with the answers */
  cname_chain: Type.Array(Type.Object({ name: Type.String(), type: oneOf(['CNAME', 'DNAME']), target: Type.String() })),
  /** the answers in the format of `dig +short`, with names in lower case */
  answers: Type.Array(Type.String()),
  /** TTL of the answers in seconds; null without answers */
  ttl: orNull(Type.Integer()),
  expected_answers: orNull(Type.Array(Type.String())),
  /** expected answers that are missing; absent without expected answers */
  missing_answers: Type.Optional(Type.Array(Type.String())),
  /** answers that were not expected; absent without expected answers */
  unexpected_answers: Type.Optional(Type.Array(Type.String())),
  /** whether values were truncated */
  truncated: Type.Optional(Type.Boolean()),
  /** absent without `whois_lookup`; null if unknown */
  whois_info: Type.Optional(
    orNull(
      Type.Object({
        domain_name: orNull(Type.String()),
        registrar: orNull(Type.String()),
        creation_date: orNull(Type.String()),
        expiration_date: orNull(Type.String()),
        updated_date: orNull(Type.String()),
        status: Type.Array(Type.String()),
      }),
    ),
  ),
  /**
   * A sentence that explains why the WHOIS data or the expiration date is unknown, or comes from an earlier look-up.
   * Null if this look-up returned both.
   */
  whois_error: Type.Optional(orNull(Type.String())),
});
export type DnsMetadata = Static<typeof DnsMetadata>;

/** The expiration date of a domain is known from WHOIS only, so the threshold requires a look-up. */
const thresholdNeedsLookup = (parameters: Readonly<Record<string, unknown>>): Record<string, string[]> => {
  const { whois_lookup: hasLookup = false, assertions } = parameters as DnsParameters;
  return hasLookup || assertions?.domain_expiration_threshold === undefined
    ? {}
    : { 'parameters.assertions.domain_expiration_threshold': ['Requires parameters.whois_lookup.'] };
};

export const dns = defineCheckType({
  name: 'dns',
  target: { host: 'required' },
  parameters: DnsParameters,
  contradictions: thresholdNeedsLookup,
  metadata: DnsMetadata,
  credits: 1,
});
