import type { RatedCertificate, RatedEphemeralKeys, RatedServer } from '../../../../probes/ssl/rating/server.ts';
import type { FindingName, VulnerabilityName } from '../../../../probes/ssl/vulnerabilities/finding.ts';
import { PROTOCOL_NAMES, type ProtocolName } from '../../../../probes/ssl/wire/protocols.ts';
import { suite, SUITES, type Suite } from '../../../../probes/ssl/wire/suites.ts';

/** Returns suites by the names that are used in these tests. */
const suitesNamed = (names: string): Suite[] => names.trim().split(/\s+/).map(suiteNamed);

const BY_NAME = new Map([...SUITES.values()].map((known) => [known.name, known]));

const suiteNamed = (name: string): Suite => BY_NAME.get(name) ?? suite(Number(name));

/** The unusual properties of a server. All other properties are good. */
export interface Configuration {
  /** names of suites by protocol, in the server's order of preference */
  protocols?: Partial<Record<ProtocolName, string>>;
  /** whether the server chooses by its own order; by default true */
  ordered?: boolean;
  /** null if the server has no certificate */
  certificate?: Partial<RatedCertificate> | null;
  ephemeral?: Partial<RatedEphemeralKeys>;
  /** the server's vulnerabilities; the value is the finding if the vulnerability has several kinds */
  vulnerable?: Partial<Record<VulnerabilityName, FindingName | null>>;
}

export const TLS_1_3 = 'TLS_AES_256_GCM_SHA384 TLS_CHACHA20_POLY1305_SHA256 TLS_AES_128_GCM_SHA256';
export const TLS_1_2 = `TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`;

const GOOD: RatedCertificate = {
  in_time: true,
  matches_host: true,
  trusted: true,
  revoked: false,
  chain_complete: true,
  key_type: 'RSA',
  key_bits: 2_048,
  signature_algorithms: ['sha256WithRSAEncryption', 'ecdsa-with-SHA384'],
};

/** Returns the scan result for a server with this configuration. */
export const scanned = (server: Configuration): RatedServer => {
  const offered = server.protocols ?? { tls_1_2: TLS_1_2, tls_1_3: TLS_1_3 };
  return {
    certificate: server.certificate === null ? null : { ...GOOD, ...server.certificate },
    protocols: Object.fromEntries(
      PROTOCOL_NAMES.map((name) => {
        const suites = offered[name];
        return [
          name,
          {
            supported: suites !== undefined,
            suites: suites === undefined ? [] : suitesNamed(suites),
            server_preference: suites === undefined ? null : (server.ordered ?? true),
          },
        ];
      }),
    ) as unknown as RatedServer['protocols'],
    ephemeral: { dh: null, ecdh: { group: 'x25519', bits: 253 }, ...server.ephemeral },
    vulnerabilities: Object.fromEntries(
      Object.entries(server.vulnerable ?? {}).map(([name, finding]) => [
        name,
        { vulnerable: true, tested: true, details: `It has ${name}.`, ...(finding !== null && { finding }) },
      ]),
    ),
  };
};
