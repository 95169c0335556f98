import type { ProtocolName } from '../wire/protocols.ts';
import type { HelloSender, Reply } from './send-hello.ts';
import type { ScanFindings } from './findings.ts';
import { candidates, partsOf } from './offers.ts';

/**
 * Finds the suites of a protocol that the server supports. Offers all suites, then all except those already chosen, and
 * so on until the server refuses, so n suites take n + 1 handshakes. One more handshake may be needed to determine
 * whether the server chooses by its own order. Continues from the suites that were already found.
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
    // A closed or silent connection is not always a refusal, so the offer is repeated once.
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
    // The server accepted these suites before. If it does not accept them now, it has stopped responding, and the
    // result stays incomplete.
    if (reply.kind !== 'chosen') return;
    if (comparable) found.serverPreference = reply.chosen.suite === favourite;
  }
  found.complete = true;
};

const isUncertain = (reply: Reply): boolean =>
  reply.kind === 'refused' && ['closed', 'reset', 'silent'].includes(reply.refusal.kind);

/** Returns whether the server chose suites in the order in which they were offered. */
const isSorted = (suites: readonly number[], offered: readonly number[]): boolean => {
  const places = suites.map((id) => offered.indexOf(id));
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
};
