import type { DetailedPeerCertificate, PeerCertificate } from 'node:tls';

/** Converts OpenSSL's `Jan  1 00:00:00 2026 GMT` to `2026-01-01`. */
const dayOf = (time: string): string => {
  const milliseconds = Date.parse(time);
  return Number.isNaN(milliseconds) ? time : new Date(milliseconds).toISOString().slice(0, 10);
};

const nameOf = (name: { CN?: string | string[]; O?: string | string[] } | undefined): string =>
  [name?.CN ?? name?.O ?? 'unknown'].flat().join(', ');

/** Returns the server's certificate and its issuers, each one time. */
const chainOf = (certificate: PeerCertificate): PeerCertificate[] => {
  const chain = [certificate];
  for (;;) {
    // The issuer is absent if the server did not send the issuer's certificate. The types of Node.js don't declare
    // that.
    const issuer = (chain.at(-1) as Partial<DetailedPeerCertificate> | undefined)?.issuerCertificate;
    if (!issuer || chain.includes(issuer)) return chain;
    chain.push(issuer);
  }
};

/** Converts `DNS:example.com, IP Address:192.0.2.1` to `example.com, 192.0.2.1`. Shortens long lists. */
const namesIn = (alternatives: string | undefined): string => {
  const names = (alternatives ?? '').split(', ').map((name) => name.replace(/^[^:]*:/, ''));
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
};

const ofWhich = (index: number, certificate: PeerCertificate): string =>
  index === 0 ? 'Certificate' : `Certificate of the issuer "${nameOf(certificate.subject)}"`;

/**
 * Explains why a server's certificate is not accepted.
 *
 * @param code error code of OpenSSL; Node.js has a code of its own for a wrong host name
 * @param certificate the server's certificate, with as many issuers as are known
 * @param asked the requested host name, and the current time in milliseconds since 1970
 */
export const certificateSentence = (
  code: string,
  certificate: PeerCertificate,
  { host, now }: { host: string; now: number },
): string => {
  const chain = chainOf(certificate);
  const [leaf] = chain;
  const issuer = nameOf(chain.at(-1)?.issuer);
  switch (code) {
    case 'CERT_HAS_EXPIRED': {
      const index = chain.findIndex(({ valid_to }) => Date.parse(valid_to) < now);
      const expired = chain[index] ?? leaf;
      return expired ? `${ofWhich(Math.max(index, 0), expired)} expired on ${dayOf(expired.valid_to)}.` : code;
    }
    case 'CERT_NOT_YET_VALID': {
      const index = chain.findIndex(({ valid_from }) => Date.parse(valid_from) > now);
      const early = chain[index] ?? leaf;
      return early ? `${ofWhich(Math.max(index, 0), early)} is not valid before ${dayOf(early.valid_from)}.` : code;
    }
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'Certificate is self-signed.';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `Certificate is signed by an authority that is not trusted: "${issuer}".`;
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `Certificate chain is incomplete or not trusted: the certificate of the issuer "${issuer}" is missing.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID': {
      const names = leaf?.subjectaltname ? namesIn(leaf.subjectaltname) : nameOf(leaf?.subject);
      return `Certificate is not valid for ${host}, only for ${names}.`;
    }
    default:
      return `Certificate is not accepted: ${code.toLowerCase().replaceAll('_', ' ')}.`;
  }
};

/** Patterns of OpenSSL's error texts for a failed handshake, and the sentences for users. */
const HANDSHAKE: readonly [RegExp, (peer: string) => string][] = [
  [
    /wrong version number|http request|packet length too long|record layer failure|bad record type/,
    (peer) => `${peer} does not speak TLS.`,
  ],
  [
    /unsupported protocol|protocol version|version too low|no protocols available/,
    (peer) => `${peer} offers no TLS version that is accepted (1.2 or newer).`,
  ],
  [/unrecognized name/, (peer) => `${peer} does not know this host name.`],
  [/certificate required/, (peer) => `${peer} refused the TLS handshake: it asks for a client certificate.`],
  [/no application protocol/, (peer) => `${peer} does not offer HTTP/1.1 over TLS.`],
  [/no shared cipher|insufficient security|no cipher/, (peer) => `${peer} has no cipher in common.`],
  [
    /handshake failure/,
    (peer) => `${peer} refused the TLS handshake: no cipher in common, or it asks for a client certificate.`,
  ],
];

/** Returns whether OpenSSL is out of memory. Such an error says nothing about the server. */
export const isLocalTlsFailure = ({ message }: Error): boolean => /malloc failure/.test(message);

const reasonOf = (error: NodeJS.ErrnoException): string =>
  (error as { reason?: string }).reason ?? error.code ?? 'an unknown reason';

/** Returns the reason in the alert that the server sent (RFC 8446, 6.2); undefined if it sent none. */
const alertIn = (error: NodeJS.ErrnoException): string | undefined => /\balert (.+)$/.exec(reasonOf(error))?.[1];

/** Explains why a TLS handshake failed. */
export const handshakeSentence = (error: NodeJS.ErrnoException, peer: string): string => {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE')
    return `${peer} closed the connection during the TLS handshake.`;
  const known = HANDSHAKE.find(([words]) => words.test(error.message));
  if (known) return known[1](peer);
  const alert = alertIn(error);
  return alert === undefined
    ? `The TLS handshake with ${peer} failed: ${reasonOf(error)}.`
    : `${peer} refused the TLS handshake with the alert "${alert}".`;
};

/** Explains why a TLS connection broke. */
export const brokenTlsSentence = (error: NodeJS.ErrnoException, peer: string): string => {
  const alert = alertIn(error);
  if (alert === undefined) return `The TLS connection to ${peer} broke: ${reasonOf(error)}.`;
  // In TLS 1.3, a server may refuse the client's certificate even after the handshake (RFC 8446, 4.4.2.4).
  return /certificate|handshake/.test(alert)
    ? handshakeSentence(error, peer)
    : `${peer} ended the TLS connection with the alert "${alert}".`;
};
