import type { CertificateInfo } from '../../domain/check/types/certificate-info.ts';
import type { SslMetadata } from '../../domain/check/types/ssl.ts';
import { fitMetadata, halved, type Cut } from '../engine/fit-metadata.ts';
import type { Timings } from '../engine/stopwatch.ts';
import type { Rating } from './rating/rate.ts';
import { ephemeralKeys, ratedProtocols } from './rating/rated-server.ts';
import { weakCiphers } from './rating/weak-ciphers.ts';
import type { ScanFacts } from './scan/facts.ts';
import type { VulnerabilityFindings } from './vulnerabilities/finding.ts';
import { PROTOCOL_NAMES } from './wire/protocols.ts';

/** The findings of a run when it ends. */
export interface SslFacts {
  host: string;
  port: number;
  address: string | null;
  starttls: string | null;
  handshake: { version: string; cipher: string } | null;
  /** a sentence that says why the handshake failed, if the server started one */
  handshakeFailure: string | null;
  certificate: CertificateInfo | null;
  scan: ScanFacts | null;
  vulnerabilities: Readonly<Partial<VulnerabilityFindings>> | null;
  rating: Rating | null;
  missing: SslMetadata['missing'];
  /** ISO 8601 */
  scannedAt: string | null;
  assertionFailed: boolean;
  timings: Timings;
}

/** Maximum size of `check_metadata` as JSON, in bytes. */
const LIMIT = 32 * 1_024;

/** Returns the `check_metadata` of a result, shortened to the limit. */
export const metadataOf = (found: SslFacts): SslMetadata => {
  const { scan, rating, timings, handshake } = found;
  const protocols = ratedProtocols(scan);
  const ephemeral = ephemeralKeys(scan);
  const weak = weakCiphers({ protocols, ephemeral });
  return fitMetadata<SslMetadata>(
    {
      assertion_failed: found.assertionFailed,
      checks: {
        certificate_info: found.certificate,
        has_weak_ciphers: weak.length > 0,
        protocol_support: Object.fromEntries(
          PROTOCOL_NAMES.map((name) => {
            const { supported, suites, server_preference } = protocols[name];
            return [name, { supported, ciphers: suites.map((one) => one.name), server_preference }];
          }),
        ) as Protocols,
        vulnerabilities: { ...found.vulnerabilities },
        weak_ciphers_found_details: weak,
      },
      deduction_summary: rating?.deductions ?? [],
      ssl_grade: rating?.grade ?? null,
      ssl_score: rating?.score ?? null,
      host: found.host,
      port: found.port,
      address: found.address,
      starttls: found.starttls,
      handshake: handshake && { version: handshake.version, cipher: handshake.cipher },
      handshake_failure: found.handshakeFailure,
      category_scores: rating?.categories ?? null,
      ephemeral_keys: { dh_bits: ephemeral.dh, curve: ephemeral.ecdh?.group ?? null },
      missing: found.missing,
      scanned_at: found.scannedAt,
      timings: { lookup: timings.lookup, connect: timings.connect, tls: timings.tls },
    },
    LIMIT,
    CUTS,
  );
};

type Protocols = SslMetadata['checks']['protocol_support'];
type Checks = SslMetadata['checks'];

const withChecks = (metadata: SslMetadata, changed: Partial<Checks>): SslMetadata => ({
  ...metadata,
  checks: { ...metadata.checks, ...changed },
});

/** Shortens the facts about the certificate. @param cut returns its argument if there is nothing to cut */
const ofCertificate =
  (cut: (info: CertificateInfo) => CertificateInfo): Cut<SslMetadata> =>
  (metadata) => {
    const info = metadata.checks.certificate_info;
    const smaller = info && cut(info);
    return smaller === info ? metadata : withChecks(metadata, { certificate_info: smaller });
  };

/**
 * The cuts, in the order in which they are applied: first facts that are available elsewhere, finally problems to be
 * fixed.
 */
const CUTS: readonly Cut<SslMetadata>[] = [
  ofCertificate((info) =>
    info.subject_alternative_names.length > 10
      ? { ...info, subject_alternative_names: halved(info.subject_alternative_names, 10) }
      : info,
  ),
  ofCertificate((info) => (info.chain.length > 3 ? { ...info, chain: halved(info.chain, 3) } : info)),
  (metadata) => {
    const { weak_ciphers_found_details: weak } = metadata.checks;
    return weak.length > 20 ? withChecks(metadata, { weak_ciphers_found_details: halved(weak, 20) }) : metadata;
  },
  (metadata) => {
    const { protocol_support: protocols } = metadata.checks;
    const longest = Math.max(...PROTOCOL_NAMES.map((name) => protocols[name].ciphers.length));
    if (longest <= 10) return metadata;
    return withChecks(metadata, {
      protocol_support: Object.fromEntries(
        PROTOCOL_NAMES.map((name) => {
          const { ciphers, ...rest } = protocols[name];
          return [name, { ...rest, ciphers: ciphers.length === longest ? halved(ciphers, 10) : ciphers }];
        }),
      ) as Protocols,
    });
  },
  ofCertificate((info) =>
    info.subject_alternative_names.length > 0
      ? { ...info, subject_alternative_names: halved(info.subject_alternative_names) }
      : info,
  ),
  ofCertificate((info) => (info.chain.length > 0 ? { ...info, chain: halved(info.chain) } : info)),
  ofCertificate((info) => (info.path === null ? info : { ...info, path: null })),
  ofCertificate((info) => (info.notes.length > 0 ? { ...info, notes: halved(info.notes) } : info)),
  ofCertificate((info) => (info.problems.length > 1 ? { ...info, problems: halved(info.problems, 1) } : info)),
];
