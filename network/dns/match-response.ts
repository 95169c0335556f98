import { HEADER_LENGTH, readMessageHeader, type DnsMessageHeader } from './read-message.ts';
import type { EncodedQuestion } from './encode-query.ts';

const CLASS_IN = 1;

/**
 * Reads the header of a message if the message answers the question; returns null for any other message. An error
 * response may omit the question, because a server that failed to parse the question can't repeat it.
 */
export const matchingHeader = (bytes: Buffer, id: number, question: EncodedQuestion): DnsMessageHeader | null => {
  const head = readMessageHeader(bytes);
  if (!head?.response || head.id !== id || head.opcode !== 0) return null;
  const [questions] = head.counts;
  if (questions === 0) return head.rcode === 0 ? null : head;
  return questions === 1 && repeats(bytes, question) ? head : null;
};

/**
 * Returns whether the first question of a message equals `question`, ignoring case. That question can't be compressed,
 * because no other name precedes it in the message.
 */
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

/**
 * Converts letters to lower case. The length bytes of the labels are smaller than any letter, so they stay unchanged.
 */
const lowerCase = (name: Buffer): string => name.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
