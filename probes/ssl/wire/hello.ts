import { MalformedTlsMessage } from './bytes.ts';
import { FATAL } from './alerts.ts';
import { readCertificates, readStaple } from './certificate.ts';
import { clientHelloRecord, type Offer } from './client-hello.ts';
import { readServerKey, type ServerKey } from './key-exchange.ts';
import { createHandshakeMessages, type HandshakeMessage } from './messages.ts';
import { PROTOCOLS } from './protocols.ts';
import { readRecord, RECORDS } from './records.ts';
import { readServerHello, type ServerHello } from './server-hello.ts';
import { suite } from './suites.ts';
import type { ReadEnd, Wire } from './wire.ts';

/** Kinds of handshake messages (RFC 5246, 7.4). */
export const HANDSHAKE = {
  helloRequest: 0,
  serverHello: 2,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
  clientKeyExchange: 16,
  certificateStatus: 22,
} as const;

/**
 * A server's choice, and the contents of the messages that follow in clear text. Up to TLS 1.2, these are all messages
 * until the server waits for the client.
 */
export interface ServerChoice extends ServerHello {
  kind: 'hello';
  /** certificates in DER, in the order in which they were sent; null if there was no Certificate message */
  certificates: readonly Buffer[] | null;
  /** the stapled OCSP response (DER); null if there was none */
  staple: Buffer | null;
  key: ServerKey | null;
  certificateRequested: boolean;
  /** whether the server now waits for the client */
  done: boolean;
}

export interface Alert {
  kind: 'alert';
  fatal: boolean;
  /** see alerts.ts */
  description: number;
}

/** A server's response to a hello. `garbage` is not TLS, or unreadable TLS. */
export type HelloResponse = ServerChoice | Alert | { kind: 'garbage'; bytes: Buffer } | { kind: ReadEnd };

export interface HelloOptions {
  /** timeout for each record of the server, in milliseconds */
  patience?: number;
  /** when to stop reading: after the server's choice, or when the server waits for the client (default) */
  until?: 'choice' | 'turn';
}

export const PATIENCE_MS = 5_000;

/** Maximum number of records in the response to one hello. */
const MAX_RECORDS = 1_000;

/** Sends a hello and reads the response. Leaves the connection open. */
export const sendHello = async (wire: Wire, offer: Offer, options: HelloOptions = {}): Promise<HelloResponse> => {
  wire.send(clientHelloRecord(offer));
  return readHelloResponse(wire, options);
};

/** Reads the response to a hello that was already sent. */
export const readHelloResponse = async (
  wire: Wire,
  { patience = PATIENCE_MS, until = 'turn' }: HelloOptions = {},
): Promise<HelloResponse> => {
  let chosen: ServerChoice | null = null;
  const messages = createHandshakeMessages();
  for (let records = 0; records < MAX_RECORDS; records++) {
    const heard = await readRecord(wire, patience);
    if (heard.kind !== 'record') return chosen ?? heard;
    if (heard.type === RECORDS.alert) {
      const alert = alertOf(heard.body);
      if (alert.fatal) return chosen ?? alert;
      continue;
    }
    if (heard.type !== RECORDS.handshake) {
      // A record after the server's choice is an encrypted record of TLS 1.3. A record before the choice is garbage.
      if (chosen) return chosen;
      if (heard.type === RECORDS.changeCipherSpec) continue;
      return garbage(heard.body);
    }
    messages.add(heard.body);
    try {
      for (let message = messages.next(); message; message = messages.next()) {
        chosen = understood(message, chosen);
        if (chosen && (chosen.done || until === 'choice' || chosen.version >= PROTOCOLS.tls_1_3)) return chosen;
      }
    } catch (error) {
      if (!(error instanceof MalformedTlsMessage)) throw error;
      return chosen ?? garbage(heard.body);
    }
  }
  return chosen ?? garbage(messages.rest());
};

const garbage = (bytes: Buffer): HelloResponse => ({ kind: 'garbage', bytes: Buffer.from(bytes.subarray(0, 64)) });

const alertOf = (body: Buffer): Alert => ({
  kind: 'alert',
  fatal: (body[0] ?? FATAL) >= FATAL,
  description: body[1] ?? 0,
});

/** Adds the content of a message to the server's choice. @throws MalformedTlsMessage */
const understood = ({ type, body }: HandshakeMessage, chosen: ServerChoice | null): ServerChoice | null => {
  if (type === HANDSHAKE.serverHello)
    return {
      kind: 'hello',
      ...readServerHello(body),
      certificates: null,
      staple: null,
      key: null,
      certificateRequested: false,
      done: false,
    };
  if (type === HANDSHAKE.helloRequest) return chosen;
  if (!chosen) throw new MalformedTlsMessage(`message ${type} before the server's hello`);
  switch (type) {
    case HANDSHAKE.certificate:
      return { ...chosen, certificates: readCertificates(body) };
    case HANDSHAKE.certificateStatus:
      return { ...chosen, staple: readStaple(body) };
    case HANDSHAKE.serverKeyExchange:
      return { ...chosen, key: readServerKey(body, suite(chosen.suite)) };
    case HANDSHAKE.certificateRequest:
      return { ...chosen, certificateRequested: true };
    case HANDSHAKE.serverHelloDone:
      return { ...chosen, done: true };
    default:
      return chosen;
  }
};
