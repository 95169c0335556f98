import type { Clock } from '../../../network/clock.ts';
import { ConnectFailed } from '../../../network/connect.ts';
import type { Dialer } from '../dial.ts';
import { StartTlsFailed } from '../starttls.ts';
import { alertName } from '../wire/alerts.ts';
import { sendHello, PATIENCE_MS, type HelloResponse, type ServerChoice } from '../wire/hello.ts';
import { PROTOCOLS, type ProtocolName } from '../wire/protocols.ts';
import { ssl2Hello, type Ssl2Answer } from '../wire/ssl2.ts';
import type { Wire } from '../wire/wire.ts';
import type { Refusal } from './facts.ts';
import { offerIn, type HelloForm } from './offers.ts';

/** The reply to a hello. `lost` means that the target accepts no more connections. */
export type Reply = { kind: 'chosen'; chosen: ServerChoice } | { kind: 'refused'; refusal: Refusal } | { kind: 'lost' };

/** Sends hellos to a server, each on a new connection. */
export interface HelloSender {
  /** Offers suites of one protocol. If the server chooses another protocol or suite, the reply is a refusal. */
  ask: (protocol: ProtocolName, form: HelloForm, suites: readonly number[]) => Promise<Reply>;
  askSsl2: (suites: readonly number[]) => Promise<Ssl2Answer | { kind: 'lost' }>;
}

/**
 * The timeout for an unresponsive server, as a multiple of its slowest response so far. The next two constants limit
 * this timeout.
 */
const PATIENCE_FACTOR = 10;
const LEAST_PATIENCE_MS = 2_000;
const MOST_PATIENCE_MS = 10_000;

/**
 * Creates a sender. Its functions throw an error of the dialer if the first connection fails, the signal's reason if
 * the signal aborts, or a LocalFailure.
 *
 * @param took duration of an earlier handshake, in milliseconds; 0 if there was none
 */
export const createHelloSender = (dialer: Dialer, clock: Pick<Clock, 'monotonic'>, took: number): HelloSender => {
  const { serverName } = dialer.target;
  let slowest = took;

  const patience = (): number =>
    slowest === 0
      ? PATIENCE_MS
      : Math.min(MOST_PATIENCE_MS, Math.max(LEAST_PATIENCE_MS, Math.ceil(slowest * PATIENCE_FACTOR)));

  const greet = async <A extends { kind: string }>(say: (wire: Wire) => Promise<A>): Promise<A | { kind: 'lost' }> => {
    let wire: Wire;
    try {
      wire = await dialer.dial();
    } catch (error) {
      const reached = dialer.address !== null;
      if (reached && (error instanceof ConnectFailed || error instanceof StartTlsFailed)) return { kind: 'lost' };
      throw error;
    }
    try {
      const began = clock.monotonic();
      const answer = await say(wire);
      if (answer.kind === 'hello' || answer.kind === 'alert') slowest = Math.max(slowest, clock.monotonic() - began);
      return answer;
    } finally {
      wire.close();
    }
  };

  return {
    ask: async (protocol, form, suites) => {
      const offer = offerIn(form, protocol, suites, serverName);
      const answer = await greet((wire) => sendHello(wire, offer, { patience: patience() }));
      if (answer.kind === 'lost') return answer;
      if (answer.kind !== 'hello') return { kind: 'refused', refusal: refusalOf(answer) };
      // A server without this protocol may respond with an older one.
      if (answer.version !== PROTOCOLS[protocol]) return { kind: 'refused', refusal: { kind: 'other' } };
      if (!suites.includes(answer.suite))
        return { kind: 'refused', refusal: { kind: 'garbage', said: 'a cipher suite that was not offered' } };
      return { kind: 'chosen', chosen: answer };
    },
    askSsl2: (suites) => greet((wire) => ssl2Hello(wire, suites, { patience: patience() })),
  };
};

/** Converts a response that is not a choice to a refusal. */
export const refusalOf = (answer: Exclude<HelloResponse, ServerChoice>): Refusal => {
  switch (answer.kind) {
    case 'alert':
      return { kind: 'alert', name: alertName(answer.description) };
    case 'garbage':
      return { kind: 'garbage', said: answer.bytes.toString('latin1').replace(/[^\x20-\x7e]+/g, ' ') };
    default:
      return { kind: answer.kind };
  }
};
