import { EXTENSIONS } from '../wire/client-hello.ts';
import type { Chosen } from '../wire/hello.ts';
import { safe, untested, vulnerable, type Finding } from './finding.ts';
import { ATTEMPTS, NoHandshake, type OlderHandshake } from './older-handshake.ts';

const INSECURE =
  'The server does not know secure renegotiation (RFC 5746), so that somebody in between can put own data before what ' +
  'a client sends (CVE-2009-3555). ';
const UPDATE = 'Update its TLS library, or turn renegotiation off.';

/**
 * Whether renegotiation is secure (RFC 5746), and whether clients can make the server renegotiate again and again,
 * which costs it far more than them (CVE-2011-1473).
 *
 * @param chosen by a server to which RFC 5746 was offered
 * @param handshake with attempts to renegotiate, or why there was none
 */
export const sessionRenegotiation = (
  { extensions }: Pick<Chosen, 'extensions'>,
  handshake: OlderHandshake | NoHandshake,
): Finding => {
  const secure = extensions.has(EXTENSIONS.renegotiationInfo);
  if (handshake instanceof NoHandshake)
    return secure
      ? untested(
          `The server knows secure renegotiation, but whether clients can start one could not be tested: ${handshake.message}`,
        )
      : vulnerable(
          `${INSECURE}Whether clients can start one could not be tested: ${handshake.message} ${UPDATE}`,
          'unsupported',
        );
  const { renegotiated } = handshake;
  if (!secure)
    return renegotiated > 0
      ? vulnerable(`${INSECURE}It renegotiates when a client asks for it. ${UPDATE}`, 'insecure')
      : vulnerable(
          `${INSECURE}It does not renegotiate when a client asks for it, but may do so itself. ${UPDATE}`,
          'unsupported',
        );
  if (renegotiated === ATTEMPTS)
    return vulnerable(
      'The server renegotiates, securely, as often as a client asks for it, so that a single client can keep it busy. ' +
        'Turn off renegotiation that clients start.',
      'client_initiated',
    );
  return safe(
    renegotiated === 0
      ? 'The server knows secure renegotiation, and does not renegotiate when a client asks for it.'
      : `The server knows secure renegotiation, and ends it after ${renegotiated.toString()} in one connection.`,
  );
};
