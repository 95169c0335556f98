import type { NetworkContext } from '../../../network/context.ts';
import { peerOf } from '../../../network/failure-sentences.ts';
import { openConnection } from '../../../network/open-connection.ts';
import { sendAndReceive } from '../../../network/send-and-receive.ts';
import { brokenConnection } from '../../engine/broken-connection.ts';

/** Maximum size of a response, in bytes. The rest is not read. */
const MOST = 64 * 1_024;

/**
 * Queries a WHOIS server (RFC 3912): sends one line, and reads until the server closes the connection.
 *
 * If the context's signal aborts, rejects with the signal's reason.
 *
 * @throws ProbeFailure, LookupFailed, TargetRefused, ConnectFailed, LocalFailure
 */
export const queryPort43 = async (
  host: string,
  port: number,
  question: string,
  context: NetworkContext,
): Promise<string> => {
  const quiet = { phaseBegins: () => undefined, connected: () => undefined };
  const { socket, address } = await openConnection({ host, port }, context, quiet);
  const peer = peerOf(address.address, port);
  return textOf(await sendAndReceive(socket, `${question}\r\n`, context.signal, untilClosed(peer)));
};

/** Reads until the server closes the connection, or up to the maximum. */
const untilClosed = (peer: string) => ({
  endOf: () => MOST,
  closed: (received: Buffer) => received,
  broken: (error: NodeJS.ErrnoException) => brokenConnection(error, peer, 'before its answer was complete'),
});

/** Decodes a response as UTF-8 if valid, otherwise as ISO 8859-1, because WHOIS specifies no encoding. */
const textOf = (bytes: Buffer): string => {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
};
