import { allowedAddresses, type Target } from '../open-connection.ts';
import type { Address } from '../resolve.ts';
import { explainConnectFailure } from '../not-connected.ts';
import type { AnsweredQuery, NameServer, Transport } from './query-outcome.ts';
import type { ExchangeContext, RawDnsResponse } from './exchange.ts';
import { overHttps } from './https.ts';
import { MalformedDnsMessage } from './malformed.ts';
import { NoDnsAnswer, noAnswerOf } from './no-answer.ts';
import type { DnsMessage } from './message.ts';
import { readMessage } from './read-message.ts';
import { overStream } from './tcp-and-tls.ts';
import { overUdp } from './udp.ts';
import type { EncodedQuestion } from './encode-query.ts';

type Answer = Omit<AnsweredQuery, 'answered' | 'failures' | 'time'>;
/** Sends one query, with or without EDNS. */
type Exchange = (edns: boolean) => Promise<RawDnsResponse & { transport: Transport }>;

/**
 * Queries one server. If the server reports that it does not understand EDNS, repeats the query without EDNS. Does not
 * repeat the query for any other reason.
 *
 * @param round number of earlier queries to this server; each round starts with another address of the server
 * @throws NoDnsAnswer, LookupFailed, TargetRefused, ConnectFailed, TlsFailed, LocalFailure
 */
export const queryServer = async (
  question: EncodedQuestion,
  server: NameServer,
  round: number,
  context: ExchangeContext,
): Promise<Answer> => {
  const { transport, host, port } = server;
  switch (transport) {
    case 'https':
      return understood(server, async (edns) => ({
        ...(await overHttps(question, server, edns, context)),
        transport: 'https',
      }));
    case 'tls':
      return understood(server, async (edns) => ({
        ...(await overStream(question, { host, port, tls: { alpn: [] } }, edns, context)),
        transport: 'tls',
      }));
    case 'plain': {
      context.watch.timeoutSentence = () => `The name servers gave no answer for ${host}.`;
      return eachAddress(rotated(await allowedAddresses(host, port, context), round), (address) =>
        understood(server, (edns) => plainly(question, address, port, edns, context)),
      );
    }
    default:
      return transport satisfies never;
  }
};

const rotated = <T>(array: readonly T[], by: number): T[] => {
  const first = by % array.length;
  return [...array.slice(first), ...array.slice(0, first)];
};

/** Tries the addresses in order. Returns the response of the first address that responds. */
const eachAddress = async (
  addresses: readonly Address[],
  exchange: (address: Address) => Promise<Answer>,
): Promise<Answer> => {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await exchange(address);
    } catch (error) {
      if (explainConnectFailure(error)?.reason !== 'connect' && !(error instanceof NoDnsAnswer)) throw error;
      failure = error;
    }
  }
  throw failure;
};

/** Queries over UDP, and again over TCP if the response over UDP was truncated. */
const plainly = async (
  question: EncodedQuestion,
  to: Address,
  port: number,
  edns: boolean,
  context: ExchangeContext,
): ReturnType<Exchange> => {
  const answer = await overUdp(question, to, port, edns, context);
  if (!answer.head.truncated) return { ...answer, transport: 'udp' };
  const began = context.watch.sentAt;
  const target: Target = { host: to.address, port };
  try {
    const longer = await overStream(question, target, edns, context);
    context.watch.sentAt = began;
    return { ...longer, transport: 'tcp' };
  } catch (error) {
    const failure = noAnswerOf(error);
    if (!failure) throw error;
    const sentence = `The answer of ${answer.peer} over UDP is truncated, and there is none over TCP: ${failure.message}`;
    throw new NoDnsAnswer(failure.reason, sentence, { cause: error });
  }
};

/** RCODEs of servers that support no EDNS at all (RFC 6891, 7), or do not support version 0 of EDNS. */
const WITHOUT_EDNS: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);

const understood = async (server: NameServer, exchange: Exchange): Promise<Answer> => {
  const raw = await exchange(true);
  const message = read(raw);
  if (!WITHOUT_EDNS.has(message.rcode)) return { server, message, peer: raw.peer, transport: raw.transport };
  const again = await exchange(false);
  return { server, message: read(again), peer: again.peer, transport: again.transport };
};

const read = ({ bytes, head, peer }: RawDnsResponse): DnsMessage => {
  try {
    return readMessage(bytes, head);
  } catch (error) {
    if (!(error instanceof MalformedDnsMessage)) throw error;
    throw new NoDnsAnswer('protocol', `The answer of ${peer} is malformed: ${error.message}.`);
  }
};
