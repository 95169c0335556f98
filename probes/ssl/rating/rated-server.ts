import type { CertificateInfo } from '../../../domain/check/types/certificate-info.ts';
import type { KeyFacts, ScanFacts } from '../scan/facts.ts';
import type { VulnerabilityFindings } from '../vulnerabilities/finding.ts';
import { PROTOCOL_NAMES } from '../wire/protocols.ts';
import { suite } from '../wire/suites.ts';
import { ratedCertificate } from './rated-certificate.ts';
import type { RatedEphemeralKeys, RatedServer } from './server.ts';

/** Converts the facts about a server to the form that the rating needs. */
export const ratedServer = (
  certificate: CertificateInfo | null,
  scan: ScanFacts,
  vulnerabilities: Readonly<Partial<VulnerabilityFindings>>,
): RatedServer => ({
  certificate: certificate && ratedCertificate(certificate),
  protocols: ratedProtocols(scan),
  ephemeral: ephemeralKeys(scan),
  vulnerabilities,
});

/** @param scan null if unknown */
export const ratedProtocols = (scan: ScanFacts | null): RatedServer['protocols'] =>
  Object.fromEntries(
    PROTOCOL_NAMES.map((name) => {
      const { supported = false, suites = [], serverPreference = null } = scan?.protocols[name] ?? {};
      return [name, { supported, suites: suites.map(suite), server_preference: serverPreference }];
    }),
  ) as unknown as RatedServer['protocols'];

/** Returns the smallest parameters of all ephemeral key exchanges. @param scan null if unknown */
export const ephemeralKeys = (scan: ScanFacts | null): RatedEphemeralKeys => {
  // Ignores unregistered groups, whose size is unknown (0).
  const keys = PROTOCOL_NAMES.flatMap((name) => scan?.protocols[name].keys ?? []).filter(({ bits }) => bits > 0);
  const curve = smallest(keys.filter(({ kind }) => kind === 'ecdh'));
  return {
    dh: smallest(keys.filter(({ kind }) => kind === 'dh'))?.bits ?? null,
    ecdh: curve ? { group: curve.group ?? `of ${curve.bits} bits`, bits: curve.bits } : null,
  };
};

const smallest = (keys: readonly KeyFacts[]): KeyFacts | null =>
  keys.reduce<KeyFacts | null>((least, key) => (least && least.bits <= key.bits ? least : key), null);
