import { EXTENSIONS } from '../wire/client-hello.ts';
import type { ServerChoice } from '../wire/hello.ts';
import { safe, untested, vulnerable, type VulnerabilityFinding } from './finding.ts';
import { ATTEMPTS, NoHandshake, type OlderHandshake } from './older-handshake.ts';

const INSECURE =
  'The server does not support secure renegotiation (RFC 5746), so an attacker in the middle can put data in front ' +
  'of what a client sends (CVE-2009-3555). ';
const UPDATE = 'Update its TLS library, or turn off renegotiation.';

/**
 * Tests whether renegotiation is secure (RFC 5746), and whether a client can make the server renegotiate repeatedly,
 * which costs the server far more than the client (CVE-2011-1473).
 *
 * @param handshake the handshake with attempts to renegotiate, or the reason why there was none
 */
export const sessionRenegotiation = (
  { extensions }: Pick<ServerChoice, 'extensions'>,
  handshake: OlderHandshake | NoHandshake,
): VulnerabilityFinding => {
  const secure = extensions.has(EXTENSIONS.renegotiationInfo);
  if (handshake instanceof NoHandshake)
    return secure
      ? untested(
          `The server supports secure renegotiation, but it could not be tested whether clients can start one: ${handshake.message}`,
        )
      : vulnerable(
          `${INSECURE}It could not be tested whether clients can start a renegotiation: ${handshake.message} ${UPDATE}`,
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
      'The server renegotiates securely, but as often as a client asks for it, so a single client can keep it busy. ' +
        'Turn off client-initiated renegotiation.',
      'client_initiated',
    );
  return safe(
    renegotiated === 0
      ? 'The server supports secure renegotiation and does not renegotiate when a client asks for it.'
      : `The server supports secure renegotiation and allows only ${renegotiated} per connection.`,
  );
};
