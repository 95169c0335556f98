import { Finding } from '../finding.ts';
import { handshakeSentence } from '../network/tls-sentences.ts';

interface UndiciError extends Error {
  code?: string;
}

/** What undici's error says of an answer. `begun`: the head of the answer was there. */
export const protocolFinding = (error: UndiciError, peer: string, begun: boolean): Finding => {
  if (error instanceof Finding) return error;
  // A server may refuse the client's certificate only when it is first written to (RFC 8446, 4.4.2.4).
  if (error.code?.startsWith('ERR_SSL_'))
    return new Finding('down', 'tls', handshakeSentence(error, peer), { cause: error });
  return new Finding('down', 'protocol', protocolSentence(error, peer, begun), { cause: error });
};

const protocolSentence = ({ name, code = '', message }: UndiciError, peer: string, begun: boolean): string => {
  switch (code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'The response headers are larger than 64 KiB.';
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return `${peer} sent a body that is not as long as its Content-Length says.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${peer} reset the connection ${begun ? 'before the response was complete' : 'before it answered'}.`;
    case 'UND_ERR_SOCKET':
      return message === 'other side closed' || message === 'closed' ? closed(peer, begun) : invalid(message);
    default:
      if (/^Invalid EOF state/i.test(message)) return closed(peer, begun);
      return name === 'HTTPParserError' ? invalid(message) : `The response could not be read: ${plain(message)}.`;
  }
};

const invalid = (message: string): string => `The response is not valid HTTP: ${plain(message)}.`;

/** The peer closed before its answer was complete. */
export const closedFinding = (peer: string, begun: boolean): Finding =>
  new Finding('down', 'protocol', closed(peer, begun));

const closed = (peer: string, begun: boolean): string =>
  `${peer} closed the connection ${begun ? 'before the response was complete' : 'without an answer'}.`;

/** The parser's words, without its prefix and what the server wrote. */
const plain = (message: string): string => {
  const words = message.replace(/^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/, '$1');
  return words.slice(0, 100).replace(/\.$/, '');
};
