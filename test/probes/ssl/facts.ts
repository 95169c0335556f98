import type { CertificateInfo, ChainCertificate } from '../../../domain/check/types/certificate-info.ts';
import type { SslFacts } from '../../../probes/ssl/metadata.ts';
import { rate } from '../../../probes/ssl/rating/rate.ts';
import { ratedServer } from '../../../probes/ssl/rating/rated-server.ts';
import type { ProtocolFacts, ScanFacts } from '../../../probes/ssl/scan/facts.ts';
import { VULNERABILITIES } from '../../../probes/ssl/vulnerabilities/finding.ts';
import { PROTOCOL_NAMES, PROTOCOLS, type ProtocolName } from '../../../probes/ssl/wire/protocols.ts';
import { SUITES } from '../../../probes/ssl/wire/suites.ts';

/* Findings of runs: none, ordinary ones, and the worst that a server can cause. */

const noTimings = { lookup: null, connect: null, tls: null, first_byte: null, transfer: null };

export const nothing: SslFacts = {
  host: 'web.test',
  port: 443,
  address: null,
  starttls: null,
  handshake: null,
  handshakeFailure: null,
  certificate: null,
  scan: null,
  vulnerabilities: null,
  rating: null,
  missing: [],
  scannedAt: null,
  assertionFailed: false,
  timings: noTimings,
};

const described = (name: string): ChainCertificate => ({
  subject: name,
  issuer: name,
  serial_number: 'F'.repeat(40),
  not_before: '2026-01-01T00:00:00.000000',
  not_after: '2027-01-01T00:00:00.000000',
  key_type: 'RSA',
  key_size: 2_048,
  signature_algorithm: 'sha256WithRSAEncryption',
  fingerprint_sha256: 'F'.repeat(64),
});

const certificateOf = (names: readonly string[], count: number, text: string): CertificateInfo => ({
  cert_date_valid: true,
  hostname_mismatch: false,
  in_trust_store: true,
  is_ev_cert: false,
  is_revoked: false,
  ...described(text),
  ocsp_stapling_details: {
    stapled: false,
    valid: null,
    status: null,
    produced_at: null,
    this_update: null,
    next_update: null,
    details: text,
  },
  revocation: { source: 'ocsp', revoked_at: null, reason: null, details: text },
  days_left: 40,
  subject_alternative_names: [...names],
  subject_alternative_names_total: names.length,
  key_curve: null,
  self_signed: false,
  validation: 'DV',
  must_staple: false,
  embedded_scts: 2,
  chain: Array.from({ length: count }, () => described(text)),
  chain_total: count,
  path: Array.from({ length: count }, () => described(text)),
  problems: Array.from({ length: count - 3 }, () => ({ code: 'not_permitted', details: text })),
  notes: Array.from({ length: count - 3 }, () => text),
});

const suitesOf = (protocol: ProtocolName, most: number): number[] =>
  [...SUITES.values()]
    .filter(({ first, last }) => first <= PROTOCOLS[protocol] && PROTOCOLS[protocol] <= last)
    .map(({ id }) => id)
    .slice(0, most);

/** @param most how many suites each protocol supports at most */
const scanOf = (names: readonly ProtocolName[], most: number): ScanFacts => ({
  protocols: Object.fromEntries(
    PROTOCOL_NAMES.map((name): [ProtocolName, ProtocolFacts] => {
      const supported = names.includes(name);
      const suites = supported ? suitesOf(name, most) : [];
      return [
        name,
        { supported, complete: true, form: 'full', suites, serverPreference: supported, keys: [], refusal: null },
      ];
    }),
  ) as ScanFacts['protocols'],
  dhGroups: [],
  chains: [],
  complete: true,
});

const whole = (
  certificate: CertificateInfo,
  scan: ScanFacts,
  finding: { vulnerable: boolean; tested: boolean; details: string },
): SslFacts => {
  const vulnerabilities = Object.fromEntries(VULNERABILITIES.map((name) => [name, finding]));
  return {
    ...nothing,
    address: '127.0.0.1',
    handshake: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
    certificate,
    scan,
    vulnerabilities,
    rating: rate(ratedServer(certificate, scan, vulnerabilities)),
    scannedAt: '2026-11-22T00:00:00.000000',
  };
};

export const usual = whole(
  certificateOf(['web.test', 'www.web.test'], 3, "CN=R11,O=Let's Encrypt,C=US"),
  scanOf(['tls_1_2', 'tls_1_3'], 12),
  { vulnerable: false, tested: true, details: 'The server does not do what this vulnerability needs.' },
);

/** Facts with every protocol, every suite, and as many long names and sentences as possible. */
export const worst = whole(
  certificateOf(
    Array.from({ length: 100 }, () => '\u{1F512}'.repeat(127)),
    10,
    '\u{1F512}'.repeat(127),
  ),
  scanOf(PROTOCOL_NAMES, 1_000),
  { vulnerable: true, tested: true, details: `${'x'.repeat(499)}.` },
);
