import type { ProtocolName } from '../wire/protocols.ts';
import type { HelloSender, Reply } from './send-hello.ts';
import type { ScanFindings } from './findings.ts';
import { candidates, partsOf } from './offers.ts';

/**
 * Finds the suites of a protocol that the server supports, by offering all remaining ones until it refuses: n suites
 * cost n + 1 handshakes, and one more if that is needed to determine whose order decides. Continues with the suites
 * already found.
 */
export const findCiphers = async (
  protocol: ProtocolName,
  { ask }: HelloSender,
  findings: ScanFindings,
): Promise<void> => {
  const found = findings.of(protocol);
  const { form, suites } = found;
  const parts = partsOf(candidates(protocol), form);
  let certain = true;

  const offer = async (offered: readonly number[]): Promise<Reply> => {
    const reply = await ask(protocol, form, offered);
    // The connection may have ended for a reason other than the offer.
    return isUncertain(reply) ? ask(protocol, form, offered) : reply;
  };

  for (const part of parts) {
    let rest = part.filter((id) => !suites.includes(id));
    while (rest.length > 0) {
      const reply = await offer(rest);
      if (reply.kind === 'lost') return;
      if (reply.kind === 'refused') {
        certain &&= !isUncertain(reply);
        break;
      }
      const { chosen } = reply;
      findings.chosen(protocol, chosen);
      rest = rest.filter((id) => id !== chosen.suite);
    }
  }

  const [favourite, next] = suites;
  const among = parts.filter((part) => part.some((id) => suites.includes(id)));
  const comparable = next !== undefined && among.length === 1;
  if (comparable && certain && !isSorted(suites, among[0] ?? [])) found.serverPreference = true;
  else if (comparable || !certain) {
    const reply = await offer(suites.toReversed());
    // A server that no longer accepts an earlier choice has stopped responding.
    if (reply.kind !== 'chosen') return;
    if (comparable) found.serverPreference = reply.chosen.suite === favourite;
  }
  found.complete = true;
};

const isUncertain = (reply: Reply): boolean =>
  reply.kind === 'refused' && ['closed', 'reset', 'silent'].includes(reply.refusal.kind);

/** Whether the choices were in the order of the offer. */
const isSorted = (suites: readonly number[], offered: readonly number[]): boolean => {
  const places = suites.map((id) => offered.indexOf(id));
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
};
