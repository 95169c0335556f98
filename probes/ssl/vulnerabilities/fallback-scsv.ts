import { INAPPROPRIATE_FALLBACK } from '../wire/alerts.ts';
import { sendHello } from '../wire/hello.ts';
import { PROTOCOL_NAMES, titleOf } from '../wire/protocols.ts';
import { FALLBACK_SCSV } from '../wire/suites.ts';
import { isNoResponse, HelloRefused, offerOf, type TestedServer } from './tested-server.ts';
import { unlessCutOff } from './evidence.ts';
import { safe, untested, vulnerable, type VulnerabilityFinding } from './finding.ts';

/** The protocols, the newest first, without SSL 2.0, which has no signalling suites. */
const PROTOCOLS = PROTOCOL_NAMES.filter((name) => name !== 'ssl_2_0').reverse();

/**
 * The last eight bytes of the random value of a server that supports a newer protocol than it has chosen (RFC 8446,
 * 4.1.3). The first value says that the server supports TLS 1.3 but chose TLS 1.2; the second says that it chose a
 * protocol older than TLS 1.2.
 */
const SENTINELS: ReadonlySet<string> = new Set(['444f574e47524401', '444f574e47524400']);

/** Tests whether the server recognises a client that was forced to fall back to an older protocol (RFC 7507). */
export const fallbackScsv = async (subject: TestedServer): Promise<VulnerabilityFinding> => {
  const { facts } = subject;
  const [newest, older] = PROTOCOLS.filter((name) => facts.protocols[name].suites.length > 0);
  if (newest === undefined || older === undefined)
    return unlessCutOff(
      facts,
      PROTOCOLS,
      safe(
        newest === undefined
          ? 'The server speaks only SSL 2.0.'
          : `The server speaks only ${titleOf(newest)}, so there is nothing to fall back to.`,
      ),
    );
  const offer = offerOf(subject, older);
  const wire = await subject.dialer.dial();
  try {
    const answer = await sendHello(wire, { ...offer, suites: [...offer.suites, FALLBACK_SCSV] }, { until: 'choice' });
    const step = `from ${titleOf(newest)} to ${titleOf(older)}`;
    if (answer.kind === 'alert')
      return answer.description === INAPPROPRIATE_FALLBACK
        ? safe(`The server refuses clients that were forced to fall back ${step}.`)
        : safe(`The server refuses clients that were forced to fall back ${step}, but not with the alert of RFC 7507.`);
    if (isNoResponse(answer) && !subject.alone) throw new HelloRefused(answer);
    if (answer.kind === 'closed' || answer.kind === 'reset')
      return safe(`The server hangs up on clients that were forced to fall back ${step}.`);
    if (answer.kind !== 'hello') return untested('The server gave no clear answer to a client that fell back.');
    if (SENTINELS.has(answer.random.subarray(-8).toString('hex')))
      return safe(`The server accepts clients that fall back ${step}, but its random warns those that know TLS 1.3.`);
    return vulnerable(
      `The server accepts clients that were forced to fall back ${step}, so an attacker in the middle can choose ` +
        'the weakest protocol. Update its TLS library to one that supports TLS_FALLBACK_SCSV (RFC 7507), or turn off ' +
        'the older protocols.',
    );
  } finally {
    wire.close();
  }
};
