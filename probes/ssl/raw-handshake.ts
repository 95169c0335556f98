import type { Dialer } from './dial.ts';
import type { ScanFacts } from './scan/facts.ts';
import { offerIn } from './scan/offers.ts';
import { sendHello } from './wire/hello.ts';
import { PROTOCOL_NAMES, type ProtocolName } from './wire/protocols.ts';
import { ssl2Hello } from './wire/ssl2.ts';
import { suite, type Suite } from './wire/suites.ts';

/** The first messages of a handshake, parsed without a TLS library. */
export interface RawHandshake {
  /** certificates in DER, in the order in which they were sent, the server's own first; empty if there were none */
  chain: readonly Buffer[];
  /** whether the server requests a client certificate */
  certificateRequested: boolean;
}

/** Protocols that send certificates in clear text, the newest first. TLS 1.3 encrypts them. */
const IN_THE_CLEAR = ['tls_1_2', 'tls_1_1', 'tls_1_0', 'ssl_3_0'] as const satisfies readonly ProtocolName[];

/**
 * Starts a handshake with a hello that the server understands, according to the scan. Returns null if the server
 * refuses the handshake, or supports only TLS 1.3.
 *
 * @throws errors of a dialer
 */
export const rawHandshake = async (dialer: Dialer, { protocols }: ScanFacts): Promise<RawHandshake | null> => {
  const name = IN_THE_CLEAR.find((one) => protocols[one].supported);
  if (!name && !protocols.ssl_2_0.supported) return null;
  const wire = await dialer.dial();
  try {
    if (!name) {
      const answer = await ssl2Hello(wire, protocols.ssl_2_0.suites);
      if (answer.kind !== 'hello') return null;
      return { chain: answer.certificate ? [answer.certificate] : [], certificateRequested: false };
    }
    const { form, suites } = protocols[name];
    const answer = await sendHello(wire, offerIn(form, name, suites, dialer.target.serverName));
    if (answer.kind !== 'hello') return null;
    return { chain: answer.certificates ?? [], certificateRequested: answer.certificateRequested };
  } finally {
    wire.close();
  }
};

/** Returns whether Node.js supports a suite and the server sends its certificate in handshakes with this suite. */
const isUsual = ({ exchange, authentication, cipher }: Suite): boolean =>
  ['RSA', 'DHE', 'ECDHE', 'any'].includes(exchange) &&
  ['RSA', 'ECDSA', 'any'].includes(authentication) &&
  ['AES', 'CHACHA20'].includes(cipher);

/** Returns whether, according to the scan, current clients such as Node.js could complete a handshake with a server. */
export const isUsualServer = ({ protocols }: ScanFacts): boolean =>
  PROTOCOL_NAMES.some(
    (name) =>
      name.startsWith('tls') && protocols[name].form === 'full' && protocols[name].suites.map(suite).some(isUsual),
  );
