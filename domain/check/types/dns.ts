import { Type, type Static } from '@sinclair/typebox';
import { DNS_SERVER_SENTENCE, dnsServerOf } from '../dns-server.ts';
import { defineCheckType } from './check-type.ts';
import { AS_SENT, commonParameters, oneOf } from './common.ts';
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

/** Parameters of dns checks (spec.md: parameters by type). */
export const DnsParameters = Type.Object(
  {
    ...commonParameters,
    record_type: Type.Optional({ ...oneOf(RECORD_TYPES), default: 'A' }),
    /** asked one after another; the system's servers when absent or empty */
    dns_servers: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 255,
          check: (text: string) => dnsServerOf(text) !== null,
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
                'seconds; fails when the registration of the domain ends sooner. Where nobody says when, whois_error of the result says so. Needs whois_lookup',
            }),
          ),
        },
        AS_SENT,
      ),
    ),
  },
  AS_SENT,
);
export type DnsParameters = Static<typeof DnsParameters>;

/** `check_metadata` of dns results. */
export const DnsMetadata = Type.Object({
  /** as the check names it */
  domain: Type.String(),
  /** the name that was asked for, such as the reverse name of an address; null if there is none */
  query_name: orNull(Type.String()),
  record_type: oneOf(RECORD_TYPES),
  /** those that were requested */
  dns_servers: Type.Optional(Type.Array(Type.String())),
  /** `system_default` if none were requested; else the one that answered, or all of them if none did */
  dns_servers_used: Type.String(),
  /** the address that answered: `127.0.0.1:53`; null if none did */
  answered_by: orNull(Type.String()),
  transport: orNull(oneOf(['udp', 'tcp', 'tls', 'https'])),
  /** `NOERROR`, `NXDOMAIN`, …; null if there was no answer */
  rcode: orNull(Type.String()),
  /** whether the server says that it has validated the answer by DNSSEC; null if there was none */
  authenticated_data: orNull(Type.Boolean()),
  /** the server has an answer, but withholds it because its DNSSEC validation fails */
  validation_failed: Type.Boolean(),
  validation_mode: oneOf(['contains_all', 'exact']),
  /** those of the zone that the name is in; empty if they were not found */
  authoritative_nameservers: Type.Array(Type.String()),
  /** the aliases from the name to the one with the answers */
  cname_chain: Type.Array(Type.Object({ name: Type.String(), type: oneOf(['CNAME', 'DNAME']), target: Type.String() })),
  /** as `dig +short` shows them, names in lower case */
  answers: Type.Array(Type.String()),
  /** how long the answers may be kept, seconds; null without any */
  ttl: orNull(Type.Integer()),
  expected_answers: orNull(Type.Array(Type.String())),
  /** those that were expected but are missing; absent if none were expected */
  missing_answers: Type.Optional(Type.Array(Type.String())),
  /** those that were not expected; absent if none were expected */
  unexpected_answers: Type.Optional(Type.Array(Type.String())),
  /** something was cut to keep this small */
  truncated: Type.Optional(Type.Boolean()),
  /** only if it was requested; null if it is not known */
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
  /** a sentence that says why it, or its end, is not known, or only as an earlier look-up found it; null if all is known */
  whois_error: Type.Optional(orNull(Type.String())),
});
export type DnsMetadata = Static<typeof DnsMetadata>;

/** Without a look-up nobody knows when a registration ends. */
const thresholdNeedsLookup = (parameters: Readonly<Record<string, unknown>>): Record<string, string[]> => {
  const { whois_lookup: asked = false, assertions } = parameters as DnsParameters;
  return asked || assertions?.domain_expiration_threshold === undefined
    ? {}
    : { 'parameters.assertions.domain_expiration_threshold': ['Needs parameters.whois_lookup.'] };
};

export const dns = defineCheckType({
  name: 'dns',
  target: { host: 'required' },
  parameters: DnsParameters,
  contradictions: thresholdNeedsLookup,
  metadata: DnsMetadata,
  credits: 1,
});
