import type { Dialer } from './dial.ts';
import type { ScanFacts } from './scan/facts.ts';
import { offerIn } from './scan/offers.ts';
import { hello } from './wire/hello.ts';
import type { ProtocolName } from './wire/protocols.ts';
import { ssl2Hello } from './wire/ssl2.ts';

/** Those whose handshake shows certificates in the clear; the newest first. */
const IN_THE_CLEAR = ['tls_1_2', 'tls_1_1', 'tls_1_0', 'ssl_3_0'] as const satisfies readonly ProtocolName[];

/**
 * The certificates of a server that Node.js can't shake hands with, from the handshake messages themselves: DER, its
 * own first; none if it shows none.
 *
 * @throws what a dialer throws
 */
export const rawCertificates = async (dialer: Dialer, { protocols }: ScanFacts): Promise<readonly Buffer[]> => {
  const name = IN_THE_CLEAR.find((one) => protocols[one].supported);
  if (!name && !protocols.ssl_2_0.supported) return [];
  const wire = await dialer.dial();
  try {
    if (!name) {
      const answer = await ssl2Hello(wire, protocols.ssl_2_0.suites);
      return answer.kind === 'hello' && answer.certificate ? [answer.certificate] : [];
    }
    const { form, suites } = protocols[name];
    const answer = await hello(wire, offerIn(form, name, suites, dialer.target.serverName));
    return answer.kind === 'hello' ? (answer.certificates ?? []) : [];
  } finally {
    wire.close();
  }
};
