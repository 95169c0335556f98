import { FATAL } from '../wire/alerts.ts';
import { EXTENSIONS } from '../wire/client-hello.ts';
import { record, RECORDS } from '../wire/records.ts';
import { withHello, newestOlder, offerOf, PATIENCE_MS, withoutOlder, type TestedServer } from './tested-server.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

/** Content of the heartbeat extension: the server may send heartbeats (RFC 6520, 2). */
const ALLOWED = Buffer.from([1]);
/** A heartbeat that claims a payload of 64 bytes but has none. Servers must discard it (RFC 6520, 4). */
const EMPTY_REQUEST = Buffer.from([1, 0, 64]);
const USER_CANCELED = 90;
/** Length of the header of a record and of the message type. The rest is not read, because it may contain secrets. */
const HEAD = 6;
const RESPONSE = 2;

/**
 * Tests for Heartbleed (CVE-2014-0160): a vulnerable server responds to a heartbeat with more than the payload, namely
 * with bytes from its memory. Only the type of the response is read. A fatal alert follows the request, so that a
 * healthy server closes the connection, and the test need not wait for a timeout.
 */
export const heartbleed = async (subject: TestedServer): Promise<VulnerabilityFinding> => {
  const protocol = newestOlder(subject.facts);
  if (protocol === null)
    return withoutOlder(subject.facts, 'The server speaks only TLS 1.3, which no software with this bug supports.');
  const offer = { ...offerOf(subject, protocol), more: [[EXTENSIONS.heartbeat, ALLOWED] as const] };
  return withHello(subject, offer, async ({ version, extensions }, wire) => {
    wire.send(record(RECORDS.heartbeat, version, EMPTY_REQUEST));
    wire.send(record(RECORDS.alert, version, Buffer.from([FATAL, USER_CANCELED])));
    const head = await wire.read(HEAD, PATIENCE_MS);
    if (typeof head !== 'string' && head[0] === RECORDS.heartbeat && head[5] === RESPONSE)
      return vulnerable(
        'The server answers an empty heartbeat with bytes from its memory, which can hold private keys and ' +
          'passwords. Update OpenSSL to 1.0.1g or newer and restart the server. Then replace its key and ' +
          'certificate, since the key may be known to others, and revoke the old certificate.',
      );
    return safe(
      extensions.has(EXTENSIONS.heartbeat)
        ? 'The server supports heartbeats and discards one that claims to carry more than it does.'
        : 'The server does not answer heartbeats.',
    );
  });
};
