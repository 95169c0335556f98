import { Type, type Static } from '@sinclair/typebox';
import { CertificateInfo } from './certificate-info.ts';
import { defineCheckType } from './check-type.ts';
import { AS_SENT, commonParameters, oneOf } from './common.ts';
import { orNull, phase } from './metadata.ts';
import { caCertificate } from './tls.ts';
import { STARTTLS, type StartTls } from './starttls.ts';

/** Parameters of ssl checks (spec.md: parameters by type). */
export const SslParameters = Type.Object(
  {
    ...commonParameters,
    assertions: Type.Optional(
      Type.Object(
        {
          /** a score below it fails the check */
          ssl_score: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
          /** seconds before the certificate expires at which to warn */
          expiration_threshold: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000 })),
        },
        AS_SENT,
      ),
    ),
    ca_certificate: caCertificate,
    starttls: Type.Optional(
      Type.Unsafe<StartTls>({
        ...oneOf(STARTTLS),
        description: 'what the server speaks before TLS begins; when absent, what is usual on the port',
      }),
    ),
  },
  AS_SENT,
);
export type SslParameters = Static<typeof SslParameters>;

/** What a server does with one protocol. */
const Protocol = Type.Object({
  /** also false if nothing could be found out: see `missing` */
  supported: Type.Boolean(),
  /** IANA names, in the server's order where it has one */
  ciphers: Type.Array(Type.String()),
  /** whether the server's own order decides; null with fewer than two ciphers, or if unknown */
  server_preference: orNull(Type.Boolean()),
});

const Vulnerability = Type.Object({
  vulnerable: Type.Boolean(),
  /** sentences: what was seen, and what to change on the server */
  details: Type.String(),
  /** false: it could not be tested, for the reason in `details` */
  tested: Type.Boolean(),
  /** which result it is, if the test distinguishes several: `strong_oracle` */
  finding: Type.Optional(Type.String()),
});

/** A cipher suite that should be switched off. */
const WeakCipher = Type.Object({
  /** the IANA name */
  cipher: Type.String(),
  /** where it is accepted: `tls_1_2` */
  protocols: Type.Array(Type.String()),
  /** `RC4`, `no forward secrecy`, … */
  reasons: Type.Array(Type.String()),
});

/** `check_metadata` of ssl results (spec.md: check_metadata by type); what the spec does not name comes after. */
export const SslMetadata = Type.Object({
  assertion_failed: Type.Boolean(),
  checks: Type.Object({
    /** null if the server showed no readable certificate */
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
    /** by name, such as `heartbleed`; empty if there was no time for the tests */
    vulnerabilities: Type.Record(Type.String(), Vulnerability),
    weak_ciphers_found_details: Type.Array(WeakCipher),
  }),
  /** a sentence for each deduction, the costliest first */
  deduction_summary: Type.Array(Type.String()),
  /** `A` to `F`, `A-`, `T` (not trusted), `M` (another host's certificate); null if something is missing */
  ssl_grade: orNull(Type.String()),
  /** 0 to 100; null if something is missing */
  ssl_score: orNull(Type.Integer()),
  host: Type.String(),
  port: Type.Integer(),
  /** the address that was checked; null if there was no connection */
  address: orNull(Type.String()),
  /** what was spoken before TLS: `smtp`; null if nothing was */
  starttls: orNull(Type.String()),
  /** the one full handshake; null if there was none */
  handshake: orNull(Type.Object({ version: Type.String(), cipher: Type.String() })),
  /** a sentence: why there was no full handshake with a server that begins one; null otherwise */
  handshake_failure: orNull(Type.String()),
  /** points of 100 in the categories of the rating; null without a score */
  category_scores: orNull(
    Type.Object({ protocol: Type.Number(), key_exchange: Type.Number(), cipher_strength: Type.Number() }),
  ),
  /** the smallest ephemeral keys that were seen; null if none were */
  ephemeral_keys: Type.Object({
    /** of finite-field Diffie-Hellman */
    dh_bits: orNull(Type.Integer()),
    /** `x25519` */
    curve: orNull(Type.String()),
  }),
  /** what could not be found out, and why */
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
  /** when protocols, ciphers and vulnerabilities were scanned, up to an hour before; null if they were not */
  scanned_at: orNull(Type.String()),
  timings: Type.Object({ lookup: phase, connect: phase, tls: phase }),
  /** lists were cut to fit the result into 32 KiB */
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
