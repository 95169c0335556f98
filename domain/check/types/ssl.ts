import { Type, type Static } from '@sinclair/typebox';
import { CertificateInfo } from './certificate-info.ts';
import { defineCheckType } from './check-type.ts';
import { KEEP_INPUT, commonParameters, oneOf } from './common.ts';
import { orNull, phaseDuration } from './metadata.ts';
import { caCertificate } from './tls.ts';
import { STARTTLS, type StartTls } from './starttls.ts';

/** Parameters of ssl checks (docs/reference/ssl-checks.md#parameters). */
export const SslParameters = Type.Object(
  {
    ...commonParameters,
    assertions: Type.Optional(
      Type.Object(
        {
          /** minimum score; the check fails if the score is lower */
          ssl_score: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
          /** the check fails this many seconds before the certificate expires */
          expiration_threshold: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000 })),
        },
        KEEP_INPUT,
      ),
    ),
    ca_certificate: caCertificate,
    starttls: Type.Optional(
      Type.Unsafe<StartTls>({
        ...oneOf(STARTTLS),
        description: 'the protocol before TLS starts; default: the usual protocol of the port',
      }),
    ),
  },
  KEEP_INPUT,
);
export type SslParameters = Static<typeof SslParameters>;

/** Describes how a server supports one protocol version. */
const Protocol = Type.Object({
  /** also false if the support is unknown, as `missing` explains */
  supported: Type.Boolean(),
  /** IANA names of the accepted ciphers, in the server's order of preference if it has one */
  ciphers: Type.Array(Type.String()),
  /** whether the server enforces its order of preference; null if unknown, or if it accepts fewer than two ciphers */
  server_preference: orNull(Type.Boolean()),
});

const Vulnerability = Type.Object({
  vulnerable: Type.Boolean(),
  /** sentences about the observation and the recommended change */
  details: Type.String(),
  /** whether the test was possible; if not, `details` explains why */
  tested: Type.Boolean(),
  /** the kind of vulnerability, such as `strong_oracle`; absent if the test knows one kind only */
  finding: Type.Optional(Type.String()),
});

/** A cipher suite that should be disabled. */
const WeakCipher = Type.Object({
  /** the IANA name */
  cipher: Type.String(),
  /** the protocol versions in which the server accepts the cipher, such as `tls_1_2` */
  protocols: Type.Array(Type.String()),
  /** `RC4`, `no forward secrecy`, … */
  reasons: Type.Array(Type.String()),
});

/**
 * `check_metadata` of ssl results (docs/reference/ssl-checks.md#metadata). Fields that the API specification does not
 * define are at the end.
 */
export const SslMetadata = Type.Object({
  assertion_failed: Type.Boolean(),
  checks: Type.Object({
    /** null if the server sent no certificate that can be parsed */
    certificate_info: orNull(CertificateInfo),
    has_weak_ciphers: Type.Boolean(),
    protocol_support: Type.Object({
      ssl_2_0: Protocol,
      ssl_3_0: Protocol,
      tls_1_0: Protocol,
      tls_1_1: Protocol,
      tls_1_2: Protocol,
      tls_1_3: Protocol,
    }),
    /** by name of the vulnerability, such as `heartbleed`; empty if there was too little time for the tests */
    vulnerabilities: Type.Record(Type.String(), Vulnerability),
    weak_ciphers_found_details: Type.Array(WeakCipher),
  }),
  /** a sentence for each deduction of points, largest deduction first */
  deduction_summary: Type.Array(Type.String()),
  /** `A` to `F`, `A-`, `T` (not trusted) or `M` (certificate of another host); null if `missing` is not empty */
  ssl_grade: orNull(Type.String()),
  /** 0 to 100; null if `missing` is not empty */
  ssl_score: orNull(Type.Integer()),
  host: Type.String(),
  port: Type.Integer(),
  /** the IP address of the server; null without a connection */
  address: orNull(Type.String()),
  /** the protocol that is spoken before TLS starts, such as `smtp`; null if TLS starts with the first byte */
  starttls: orNull(Type.String()),
  /** version and cipher of the handshake; null if no handshake was completed */
  handshake: orNull(Type.Object({ version: Type.String(), cipher: Type.String() })),
  /** A sentence that explains why a server that supports TLS did not complete a handshake. Otherwise null. */
  handshake_failure: orNull(Type.String()),
  /** points from 0 to 100 in each category of the rating; null without a score */
  category_scores: orNull(
    Type.Object({ protocol: Type.Number(), key_exchange: Type.Number(), cipher_strength: Type.Number() }),
  ),
  /** the smallest ephemeral keys that the server used; null if it used none */
  ephemeral_keys: Type.Object({
    /** key size in finite-field Diffie-Hellman, in bits */
    dh_bits: orNull(Type.Integer()),
    /** curve in elliptic-curve Diffie-Hellman, such as `x25519` */
    curve: orNull(Type.String()),
  }),
  /** the parts that could not be examined, with the reasons */
  missing: Type.Array(
    Type.Object({
      part: Type.Union([
        Type.Literal('certificate'),
        Type.Literal('protocols'),
        Type.Literal('ciphers'),
        Type.Literal('vulnerabilities'),
      ]),
      /** a sentence */
      details: Type.String(),
    }),
  ),
  /**
   * When protocols, ciphers and vulnerabilities were scanned. A scan is reused for up to an hour. Null if they were not
   * scanned.
   */
  scanned_at: orNull(Type.String()),
  timings: Type.Object({ lookup: phaseDuration, connect: phaseDuration, tls: phaseDuration }),
  /** whether lists were truncated to fit the result into 32 KiB */
  truncated: Type.Optional(Type.Boolean()),
});
export type SslMetadata = Static<typeof SslMetadata>;

export const ssl = defineCheckType({
  name: 'ssl',
  target: { host: 'required', port: { default: 443 } },
  parameters: SslParameters,
  metadata: SslMetadata,
  credits: 2,
});
