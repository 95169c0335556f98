import { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { Type, type Static } from '@sinclair/typebox';
import { instantOf } from '../../domain/time.ts';

const DAY_MS = 86_400_000;

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

/** @param now milliseconds since 1970. @returns null for a plain connection, or where the server showed no certificate */
export const tlsFacts = (socket: Socket, now: number): TlsFacts | null => {
  if (!(socket instanceof TLSSocket)) return null;
  const notAfter = Date.parse(socket.getPeerX509Certificate()?.validTo ?? '');
  if (Number.isNaN(notAfter)) return null;
  return {
    version: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
    not_after: instantOf(notAfter),
    days_left: Math.floor((notAfter - now) / DAY_MS),
  };
};
