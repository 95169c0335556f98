import { Type, type Static, type TSchema } from '@sinclair/typebox';

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Duration of a phase of a run in whole milliseconds; null if the phase did not happen. */
export const phaseDuration = orNull(Type.Integer());

/** An issuer or root that expires before the server's certificate. After this expiry, clients reject the server. */
export const IssuerExpiry = Type.Object({
  /** common name of the issuer or, without one, another part of its name: `R11` */
  subject: Type.String(),
  not_after: Type.String(),
  /** whole days until `not_after` */
  days_left: Type.Integer(),
});
export type IssuerExpiry = Static<typeof IssuerExpiry>;

/** A TLS connection in a result. */
export const TlsFacts = Type.Object({
  /** protocol version, such as `TLSv1.3` */
  version: Type.String(),
  /** the IANA name: `TLS_AES_256_GCM_SHA384` */
  cipher: Type.String(),
  /** when the server's certificate expires */
  not_after: Type.String(),
  /** whole days until `not_after` */
  days_left: Type.Integer(),
  /** absent if the server's certificate expires first, or if its issuers are unknown */
  issuer_expires_first: Type.Optional(IssuerExpiry),
});
export type TlsFacts = Static<typeof TlsFacts>;
