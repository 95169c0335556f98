import { Type, type Static } from '@sinclair/typebox';
import { IssuerExpiry, orNull } from './metadata.ts';

/** The description of a certificate in a chain. */
const description = {
  /** in the format of RFC 4514: `CN=R11,O=Let's Encrypt,C=US`; long names are truncated */
  subject: Type.String(),
  issuer: Type.String(),
  /** hexadecimal, upper-case, without leading zeros */
  serial_number: Type.String(),
  not_before: Type.String(),
  not_after: Type.String(),
  /** `RSA`, `EC` or `Ed25519`; for any other key type its OID */
  key_type: Type.String(),
  /** in bits; null if unknown */
  key_size: orNull(Type.Integer()),
  /** the name in the RFCs, such as `sha256WithRSAEncryption`; for an unknown algorithm its OID */
  signature_algorithm: Type.String(),
  /** hexadecimal */
  fingerprint_sha256: Type.String(),
};

/** A certificate in the chain that the server sent, or in the path to a trust anchor. */
export const ChainCertificate = Type.Object(description);
export type ChainCertificate = Static<typeof ChainCertificate>;

/** A reason why clients reject a certificate. */
export const CertificateProblem = Type.Object({
  /**
   * - `expired`, `not_yet_valid`: the validity period of the server's own certificate
   * - `hostname_mismatch`
   * - `self_signed`, `unknown_root`, `incomplete_chain`, `expired_issuer`, `not_permitted`, `bad_signature`: the reason
   *   why there is no path to a trust anchor. `not_permitted`: an issuer is not allowed to issue this certificate
   * - `revoked`
   */
  code: Type.String(),
  /** a sentence about the problem and the recommended change */
  details: Type.String(),
});
export type CertificateProblem = Static<typeof CertificateProblem>;

/**
 * `certificate_info` of ssl results (docs/reference/ssl-checks.md#certificate-information). Fields that the API
 * specification does not define are at the end.
 */
export const CertificateInfo = Type.Object({
  /** whether the run was between `not_before` and `not_after` */
  cert_date_valid: Type.Boolean(),
  /** whether the certificate does not match the host of the check (RFC 9525) */
  hostname_mismatch: Type.Boolean(),
  /** whether there is a path to a trusted root or to `parameters.ca_certificate` */
  in_trust_store: Type.Boolean(),
  /** whether the certificate is trusted and issued under the EV guidelines of the CA/Browser Forum */
  is_ev_cert: Type.Boolean(),
  /** whether the certificate is revoked; null if unknown, as `revocation.details` explains */
  is_revoked: orNull(Type.Boolean()),
  ...description,
  /** the OCSP response that the server sent in the handshake */
  ocsp_stapling_details: Type.Object({
    stapled: Type.Boolean(),
    /**
     * whether the OCSP response is for this certificate, signed by the issuer and not too old; null without a response
     */
    valid: orNull(Type.Boolean()),
    /** `good`, `revoked` or `unknown`; null without a valid response */
    status: orNull(Type.String()),
    produced_at: orNull(Type.String()),
    this_update: orNull(Type.String()),
    next_update: orNull(Type.String()),
    /** a sentence */
    details: Type.String(),
  }),
  /** how `is_revoked` was determined */
  revocation: Type.Object({
    /** `staple`, `ocsp` or `crl`; null if `is_revoked` is unknown */
    source: orNull(Type.String()),
    revoked_at: orNull(Type.String()),
    /** the reason code (RFC 5280, 5.3.1), such as `keyCompromise`; null if the issuer gives none */
    reason: orNull(Type.String()),
    /** a sentence */
    details: Type.String(),
  }),
  /** whole days until `not_after`; negative after that time */
  days_left: Type.Integer(),
  /**
   * The issuer that expires first. If there are several paths to a trust anchor, the path that is valid longest counts.
   * Absent if the server's own certificate expires earlier than every issuer, or if there is no path.
   */
  issuer_expires_first: Type.Optional(IssuerExpiry),
  /** the first 100 host names and addresses, in the order of the certificate */
  subject_alternative_names: Type.Array(Type.String()),
  subject_alternative_names_total: Type.Integer(),
  /** the curve of an EC key, such as `P-256`; null for other keys */
  key_curve: orNull(Type.String()),
  /** whether the certificate is signed with its own key */
  self_signed: Type.Boolean(),
  /** `EV`, `OV`, `IV` or `DV`: the CA/Browser Forum policy that the certificate names; null if it names none */
  validation: orNull(Type.String()),
  /** whether clients must reject the certificate without a stapled OCSP response (RFC 7633) */
  must_staple: Type.Boolean(),
  /** number of signed certificate timestamps in the certificate (RFC 6962) */
  embedded_scts: Type.Integer(),
  /** the first 10 certificates that the server sent, its own certificate first */
  chain: Type.Array(ChainCertificate),
  chain_total: Type.Integer(),
  /** the certificates from the server's own to the trust anchor; null if there is no path */
  path: orNull(Type.Array(ChainCertificate)),
  /** why clients reject the certificate, most severe problem first; empty if they accept it */
  problems: Type.Array(CertificateProblem),
  /** sentences with recommendations */
  notes: Type.Array(Type.String()),
});
export type CertificateInfo = Static<typeof CertificateInfo>;
