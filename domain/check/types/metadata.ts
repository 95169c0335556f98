import { Type, type Static, type TSchema } from '@sinclair/typebox';

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Whole milliseconds spent in a phase of a run; null if it was never entered. */
export const phase = orNull(Type.Integer());

/** What a result says about a secure connection. */
export const TlsFacts = Type.Object({
  /** `TLSv1.3` */
  version: Type.String(),
  /** the IANA name: `TLS_AES_256_GCM_SHA384` */
  cipher: Type.String(),
  /** when the server's certificate expires */
  not_after: Type.String(),
  /** whole days until then */
  days_left: Type.Integer(),
});
export type TlsFacts = Static<typeof TlsFacts>;
