import { Type, type Static } from '@sinclair/typebox';
import { IssuerExpiry, orNull } from './metadata.ts';

/** The description of a certificate in a chain. */
const description = {
  /** RFC 4514: `CN=R11,O=Let's Encrypt,C=US`; long names are truncated, here and elsewhere */
  subject: Type.String(),
  issuer: Type.String(),
  /** hexadecimal, upper-case, without leading zeros */
  serial_number: Type.String(),
  not_before: Type.String(),
  not_after: Type.String(),
  /** `RSA`, `EC`, `Ed25519`; the OID of an unknown kind */
  key_type: Type.String(),
  /** bits; null if unknown */
  key_size: orNull(Type.Integer()),
  /** `sha256WithRSAEncryption`, as the RFCs call it; the OID of an unknown one */
  signature_algorithm: Type.String(),
  /** hexadecimal */
  fingerprint_sha256: Type.String(),
};

/** A certificate of the chain that the server sent, or of the path to a trust anchor. */
export const ChainCertificate = Type.Object(description);
export type ChainCertificate = Static<typeof ChainCertificate>;

/** A reason why clients reject a certificate. */
export const CertificateProblem = Type.Object({
  /**
   * - `expired`, `not_yet_valid`: the server's own certificate
   * - `hostname_mismatch`
   * - `self_signed`, `unknown_root`, `incomplete_chain`, `expired_issuer`, `not_permitted`, `bad_signature`: why there
   *   is no path to a trust anchor; `not_permitted`: an issuer is not allowed to issue this certificate
   * - `revoked`
   */
  code: Type.String(),
  /** a sentence that says what is wrong and what to change */
  details: Type.String(),
});
export type CertificateProblem = Static<typeof CertificateProblem>;

/** `certificate_info` of ssl results (docs/reference/ssl-checks.md#certificate-information); what the spec does not name comes after. */
export const CertificateInfo = Type.Object({
  /** whether the run was between `not_before` and `not_after` */
  cert_date_valid: Type.Boolean(),
  /** whether the certificate does not match the host of the check (RFC 9525) */
  hostname_mismatch: Type.Boolean(),
  /** whether there is a path to a trusted root or to `parameters.ca_certificate` */
  in_trust_store: Type.Boolean(),
  /** whether it is trusted and issued under the EV guidelines of the CA/Browser Forum */
  is_ev_cert: Type.Boolean(),
  /** null if unknown; `revocation.details` explains why */
  is_revoked: orNull(Type.Boolean()),
  ...description,
  /** the OCSP response in the handshake */
  ocsp_stapling_details: Type.Object({
    stapled: Type.Boolean(),
    /** whether it is for this certificate, signed by its issuer and not too old; null without a response */
    valid: orNull(Type.Boolean()),
    /** `good`, `revoked`, `unknown`; null if there is no valid response */
    status: orNull(Type.String()),
    produced_at: orNull(Type.String()),
    this_update: orNull(Type.String()),
    next_update: orNull(Type.String()),
    /** a sentence */
    details: Type.String(),
  }),
  /** the source of `is_revoked` */
  revocation: Type.Object({
    /** `staple`, `ocsp`, `crl`; null if unknown */
    source: orNull(Type.String()),
    revoked_at: orNull(Type.String()),
    /** of RFC 5280, 5.3.1: `keyCompromise`; null if none is given */
    reason: orNull(Type.String()),
    /** a sentence */
    details: Type.String(),
  }),
  /** whole days until `not_after`; negative after it */
  days_left: Type.Integer(),
  /**
   * the issuer that expires first, on the path that is valid longest; absent if the server's own certificate expires
   * first, or there is no path
   */
  issuer_expires_first: Type.Optional(IssuerExpiry),
  /** host names and addresses as in the certificate; the first 100 */
  subject_alternative_names: Type.Array(Type.String()),
  subject_alternative_names_total: Type.Integer(),
  /** of an EC key: `P-256`; otherwise null */
  key_curve: orNull(Type.String()),
  /** signed with its own key */
  self_signed: Type.Boolean(),
  /** by the policies of the CA/Browser Forum: `EV`, `OV`, `IV`, `DV`; null if it names none of them */
  validation: orNull(Type.String()),
  /** whether clients must refuse it without a stapled OCSP response (RFC 7633) */
  must_staple: Type.Boolean(),
  /** signed certificate timestamps in it (RFC 6962) */
  embedded_scts: Type.Integer(),
  /** as sent by the server, its own certificate first; the first 10 */
  chain: Type.Array(ChainCertificate),
  chain_total: Type.Integer(),
  /** from the server's certificate to the trust anchor; null if there is none */
  path: orNull(Type.Array(ChainCertificate)),
  /** why clients reject it, most severe first; empty if they accept it */
  problems: Type.Array(CertificateProblem),
  /** recommendations, as sentences */
  notes: Type.Array(Type.String()),
});
export type CertificateInfo = Static<typeof CertificateInfo>;
