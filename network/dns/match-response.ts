import { HEADER_LENGTH, readMessageHeader, type DnsMessageHeader } from './read-message.ts';
import type { EncodedQuestion } from './encode-query.ts';

const CLASS_IN = 1;

/**
 * The header of a message that answers a question; null for any other message. Servers that failed to parse the
 * question need not repeat it.
 */
export const matchingHeader = (bytes: Buffer, id: number, question: EncodedQuestion): DnsMessageHeader | null => {
  const head = readMessageHeader(bytes);
  if (!head?.response || head.id !== id || head.opcode !== 0) return null;
  const [questions] = head.counts;
  if (questions === 0) return head.rcode === 0 ? null : head;
  return questions === 1 && repeats(bytes, question) ? head : null;
};

/** Whether a message's first question is this one, ignoring case. It can't be compressed, since no name precedes it. */
const repeats = (bytes: Buffer, { name, type }: EncodedQuestion): boolean => {
  const end = HEADER_LENGTH + name.length;
  if (bytes.length < end + 4) return false;
  const repeated = bytes.subarray(HEADER_LENGTH, end);
  return (
    (repeated.equals(name) || lowerCase(repeated) === lowerCase(name)) &&
    bytes.readUInt16BE(end) === type &&
    bytes.readUInt16BE(end + 2) === CLASS_IN
  );
};

/** Length bytes are smaller than letters, so they don't change. */
const lowerCase = (name: Buffer): string => name.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
