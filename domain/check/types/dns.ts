import { Type, type Static } from '@sinclair/typebox';
import { AS_SENT, commonParameters, oneOf } from './common.ts';

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
          pattern: '^[^\\s/?#@]+$',
          sentence: 'Must be a host name or an IP address.',
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
