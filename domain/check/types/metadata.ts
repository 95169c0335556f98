import { Type, type Static, type TSchema } from '@sinclair/typebox';

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Whole milliseconds spent in a phase of a run; null if it was never entered. */
export const phase = orNull(Type.Integer());

/** What a result says about a secure connection. */
/** An issuer, or the root, that expires before the certificate of a server: clients refuse the server from then on. */
export const IssuerExpiry = Type.Object({
  /** its name, or what there is of one: `R11` */
  subject: Type.String(),
  not_after: Type.String(),
  /** whole days until then */
  days_left: Type.Integer(),
});
export type IssuerExpiry = Static<typeof IssuerExpiry>;

export const TlsFacts = Type.Object({
  /** `TLSv1.3` */
  version: Type.String(),
  /** the IANA name: `TLS_AES_256_GCM_SHA384` */
  cipher: Type.String(),
  /** when the server's certificate expires */
  not_after: Type.String(),
  /** whole days until then */
  days_left: Type.Integer(),
  /** absent if the server's certificate expires first, or nothing is known about its issuers */
  issuer_expires_first: Type.Optional(IssuerExpiry),
});
export type TlsFacts = Static<typeof TlsFacts>;
