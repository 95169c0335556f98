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
  'MX',
  'NAPTR',
  'NS',
  'PTR',
  'SOA',
  'SRV',
  'SSHFP',
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
  },
  AS_SENT,
);
export type DnsParameters = Static<typeof DnsParameters>;

/** `check_metadata` of dns results. */
export const DnsMetadata = Type.Object({
  domain: Type.String(),
  record_type: oneOf(RECORD_TYPES),
  /** those that were requested */
  dns_servers: Type.Optional(Type.Array(Type.String())),
  /** `system_default` if none were */
  dns_servers_used: Type.Optional(Type.String()),
  validation_mode: oneOf(['contains_all', 'exact']),
  authoritative_nameservers: Type.Array(Type.String()),
  answers: Type.Array(Type.String()),
  expected_answers: orNull(Type.Array(Type.String())),
  /** if it was requested */
  whois_info: Type.Optional(
    Type.Object({
      domain_name: orNull(Type.String()),
      registrar: orNull(Type.String()),
      creation_date: orNull(Type.String()),
      expiration_date: orNull(Type.String()),
      updated_date: orNull(Type.String()),
      status: Type.Array(Type.String()),
    }),
  ),
});
export type DnsMetadata = Static<typeof DnsMetadata>;

export const dns = defineCheckType({
  name: 'dns',
  target: { host: 'required' },
  parameters: DnsParameters,
  metadata: DnsMetadata,
  credits: 1,
});
