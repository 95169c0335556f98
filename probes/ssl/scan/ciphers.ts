import type { ProtocolName } from '../wire/protocols.ts';
import type { Asker, Reply } from './ask.ts';
import type { Findings } from './findings.ts';
import { candidates, partsOf } from './offers.ts';

/**
 * Finds the suites of a protocol that the server speaks, by offering all that are left until it refuses: n suites cost
 * n + 1 handshakes, and one more if only that shows whose order decides. Suites found before count.
 */
export const findCiphers = async (protocol: ProtocolName, { ask }: Asker, findings: Findings): Promise<void> => {
  const found = findings.of(protocol);
  const { form, suites } = found;
  const parts = partsOf(candidates(protocol), form);
  let certain = true;

  const offer = async (offered: readonly number[]): Promise<Reply> => {
    const reply = await ask(protocol, form, offered);
    // The connection may have ended for another reason than the offer.
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
    // A server that does not even choose what it chose before has stopped answering.
    if (reply.kind !== 'chosen') return;
    if (comparable) found.serverPreference = reply.chosen.suite === favourite;
  }
  found.complete = true;
};

const isUncertain = (reply: Reply): boolean =>
  reply.kind === 'refused' && ['closed', 'reset', 'silent'].includes(reply.refusal.kind);

/** Whether they were chosen in the order in which they were offered. */
const isSorted = (suites: readonly number[], offered: readonly number[]): boolean => {
  const places = suites.map((id) => offered.indexOf(id));
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
};
