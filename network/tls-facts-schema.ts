import { Type, type Static } from '@sinclair/typebox';

/** What a result says of a secure connection. */
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
