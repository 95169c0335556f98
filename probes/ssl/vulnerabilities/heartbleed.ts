import { FATAL } from '../wire/alerts.ts';
import { EXTENSIONS } from '../wire/client-hello.ts';
import { record, RECORDS } from '../wire/records.ts';
import { greeted, newestOlder, offerOf, PATIENCE_MS, withoutOlder, type Subject } from './subject.ts';
import { safe, vulnerable, type Finding } from './finding.ts';

/** The peer may send heartbeats (RFC 6520, 2). */
const ALLOWED = Buffer.from([1]);
/** A heartbeat that claims to carry 64 bytes and carries none; it has to be discarded (RFC 6520, 4). */
const EMPTY_REQUEST = Buffer.from([1, 0, 64]);
const USER_CANCELED = 90;
/** A record's header and the type of its message; what follows is not ours to read. */
const HEAD = 6;
const RESPONSE = 2;

/**
 * Heartbleed (CVE-2014-0160): the server answers a heartbeat with more than it carried, out of its memory. Only the
 * type of the answer is read. A fatal alert after the request makes the server hang up, so there is no need to wait
 * for an answer that does not come.
 */
export const heartbleed = async (subject: Subject): Promise<Finding> => {
  const protocol = newestOlder(subject.facts);
  if (protocol === null)
    return withoutOlder(subject.facts, 'The server speaks only TLS 1.3, which no software with this bug supports.');
  const offer = { ...offerOf(subject, protocol), more: [[EXTENSIONS.heartbeat, ALLOWED] as const] };
  return greeted(subject, offer, async ({ version, extensions }, wire) => {
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
