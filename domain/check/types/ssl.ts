import { Type, type Static } from '@sinclair/typebox';
import { CertificateInfo } from './certificate-info.ts';
import { defineCheckType } from './check-type.ts';
import { AS_SENT, commonParameters } from './common.ts';
import { orNull } from './metadata.ts';
import { caCertificate } from './tls.ts';

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
  },
  AS_SENT,
);
export type SslParameters = Static<typeof SslParameters>;

const Protocol = Type.Object({ supported: Type.Boolean(), ciphers: Type.Array(Type.String()) });

/** `check_metadata` of ssl results; it will grow with what is found about vulnerabilities and ciphers. */
export const SslMetadata = Type.Object({
  assertion_failed: Type.Boolean(),
  checks: Type.Object({
    /** null if the server showed no certificate, or none that can be read */
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
    /** by name, such as `heartbleed` */
    vulnerabilities: Type.Record(Type.String(), Type.Object({ vulnerable: Type.Boolean(), details: Type.String() })),
    weak_ciphers_found_details: Type.Array(Type.Unknown()),
  }),
  deduction_summary: Type.Array(Type.String()),
  ssl_grade: Type.String(),
  ssl_score: Type.Number(),
});
export type SslMetadata = Static<typeof SslMetadata>;

export const ssl = defineCheckType({
  name: 'ssl',
  target: { host: 'required', port: { default: 443 } },
  parameters: SslParameters,
  metadata: SslMetadata,
  credits: 2,
});
