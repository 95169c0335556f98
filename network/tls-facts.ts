import { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { instantOf } from '../domain/time.ts';
import type { TlsFacts } from '../domain/check/types/metadata.ts';

const DAY_MS = 86_400_000;

/** @param now milliseconds since 1970. @returns null for a plain connection, or if the server showed no certificate */
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
