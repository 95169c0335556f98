import { readRecord, record, RECORDS } from '../wire/records.ts';
import { withHello, newestOlder, offerOf, PATIENCE_MS, withoutOlder, type TestedServer } from './tested-server.ts';
import { safe, untested, vulnerable, type VulnerabilityFinding } from './finding.ts';

const CHANGE = Buffer.from([1]);
/** Bytes that are neither a handshake message nor validly encrypted. They are long enough for every cipher and MAC. */
const UNREADABLE = Buffer.alloc(96, 0xff);
/** Alerts of a server that could not decrypt a record: bad_record_mac and, in TLS 1.0, decryption_failed. */
const COULD_NOT_DECRYPT: ReadonlySet<string> = new Set(['20', '21']);

/**
 * Tests for CCS injection (CVE-2014-0224): a vulnerable server accepts a ChangeCipherSpec before there are keys, and
 * continues with empty keys. The response to the next record reveals this, because only a vulnerable server tries to
 * decrypt the record. If the server responds in the same way without a ChangeCipherSpec, the response proves nothing.
 */
export const ccsInjection = async (subject: TestedServer): Promise<VulnerabilityFinding> => {
  const protocol = newestOlder(subject.facts);
  if (protocol === null)
    return withoutOlder(subject.facts, 'The server speaks only TLS 1.3, in which a ChangeCipherSpec has no effect.');
  const alertTo = (changed: boolean): Promise<string> =>
    withHello(subject, offerOf(subject, protocol), async ({ version }, wire) => {
      if (changed) wire.send(record(RECORDS.changeCipherSpec, version, CHANGE));
      wire.send(record(RECORDS.handshake, version, UNREADABLE));
      const heard = await readRecord(wire, PATIENCE_MS);
      if (heard.kind !== 'record') return heard.kind;
      return heard.type === RECORDS.alert ? String(heard.body[1]) : 'record';
    });
  const answer = await alertTo(true);
  if (answer === 'silent') return untested('The server did not answer a ChangeCipherSpec that came too early.');
  if (!COULD_NOT_DECRYPT.has(answer) || (await alertTo(false)) === answer)
    return safe('The server refuses a ChangeCipherSpec that comes too early.');
  return vulnerable(
    'The server accepts a ChangeCipherSpec before there are keys and goes on with empty ones, so an attacker between ' +
      'it and a client with the same bug can read and change everything. Update OpenSSL to 1.0.1h, 1.0.0m, 0.9.8za or ' +
      'newer and restart the server.',
  );
};
