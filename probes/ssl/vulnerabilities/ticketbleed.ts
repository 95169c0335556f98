import { EXTENSIONS } from '../wire/client-hello.ts';
import { withHello, newestOlder, offerOf, withoutOlder, type TestedServer } from './tested-server.ts';
import { NoHandshake, type OlderHandshake } from './older-handshake.ts';
import { safe, untested, vulnerable, type VulnerabilityFinding } from './finding.ts';

/** A session id of half the maximum length. It is long enough that no server chooses it by chance. */
const SESSION_ID = Buffer.alloc(16, 0x5a);

/**
 * Tests for Ticketbleed (CVE-2016-9244): if a client sends a ticket together with a short session id, a vulnerable
 * server returns the session id extended to 32 bytes with bytes from its memory. These bytes are not evaluated.
 *
 * @param handshake an earlier handshake, which provides a valid ticket, or the reason why there was none
 */
export const ticketbleed = async (
  subject: TestedServer,
  handshake: OlderHandshake | NoHandshake,
): Promise<VulnerabilityFinding> => {
  const protocol = newestOlder(subject.facts);
  if (protocol === null)
    return withoutOlder(subject.facts, 'The server speaks only TLS 1.3, where tickets work without session ids.');
  if (handshake instanceof NoHandshake) return untested(handshake.message);
  const { ticket } = handshake;
  if (!ticket) return safe('The server issues no session tickets, which the attack needs.');
  const more = [[EXTENSIONS.sessionTicket, ticket] as const];
  return withHello(subject, { ...offerOf(subject, protocol), sessionId: SESSION_ID, more }, ({ sessionId }) => {
    if (sessionId.equals(SESSION_ID)) return safe('The server returns a short session id unchanged.');
    if (sessionId.subarray(0, SESSION_ID.length).equals(SESSION_ID))
      return vulnerable(
        'The server returns a short session id followed by bytes from its memory, which can hold keys and data of ' +
          "other clients. Install F5's update (K05121675), or turn off session tickets.",
      );
    return untested('The server does not accept its own session ticket.');
  });
};
