import type { DnsMetadata } from '../../../domain/check/types/dns.ts';

/** The default metadata of a dns check. */
export const usual: DnsMetadata = {
  domain: 'www.example',
  query_name: 'www.example.',
  record_type: 'TXT',
  dns_servers: ['192.0.2.53'],
  dns_servers_used: '192.0.2.53',
  answered_by: '192.0.2.53:53',
  transport: 'tcp',
  rcode: 'NOERROR',
  authenticated_data: true,
  validation_failed: false,
  validation_mode: 'exact',
  authoritative_nameservers: ['ns1.example.', 'ns2.example.'],
  cname_chain: [{ name: 'www.example.', type: 'CNAME', target: 'web.example.' }],
  answers: Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(2_000)}`),
  ttl: 60,
  expected_answers: ['x'],
  missing_answers: ['x'],
  unexpected_answers: [],
};

export const texts = (count: number, length: number, character: string): string[] =>
  Array.from({ length: count }, (_, index) => `${index}${character.repeat(length)}`);

/** The longest possible name. As JSON, each of its control characters takes six bytes. */
const NAME = '\\000'.repeat(250);
export const worst: DnsMetadata = {
  ...usual,
  domain: '\x01'.repeat(255),
  query_name: NAME,
  dns_servers: texts(10, 254, '\x01'),
  dns_servers_used: texts(10, 254, '\x01').join(', '),
  authoritative_nameservers: texts(60, 1_000, '\\'),
  cname_chain: Array.from({ length: 64 }, () => ({ name: NAME, type: 'DNAME', target: NAME })),
  answers: texts(4_000, 60, '\\'),
  expected_answers: texts(100, 4_095, '\x01'),
  missing_answers: texts(100, 4_095, '\x01'),
  unexpected_answers: texts(4_000, 60, '\\'),
};
