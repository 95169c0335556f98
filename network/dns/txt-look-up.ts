import type { TextAnswer } from '../../domain/email-domain/record-check.ts';
import { createSemaphore } from '../../domain/concurrency/mutex.ts';
import { systemClock } from '../clock.ts';
import { systemServers } from './servers.ts';
import { serversOfOperator, lookUpTxtRecords } from './txt-records.ts';
import { createLivePolicy, type CurrentReservedTargets } from '../policy.ts';
import { systemResolve } from '../resolve.ts';

/** Maximum number of concurrent look-ups per process. Further look-ups wait. */
const AT_ONCE = 16;

/**
 * Creates a function that looks up TXT records. Concurrent look-ups of the same name share one result.
 *
 * @param dnsServers the value of `DNS_SERVERS`; null: the name servers of this machine
 */
export const createTxtLookUp = (
  dnsServers: readonly string[] | null,
  reserved: CurrentReservedTargets,
): ((name: string) => Promise<TextAnswer>) => {
  const servers = dnsServers === null ? systemServers : async () => serversOfOperator(dnsServers);
  const context = {
    clock: systemClock,
    resolve: systemResolve,
    // The operator chooses the name servers, so internal addresses are allowed.
    policy: createLivePolicy({ policy: 'internal' }, reserved),
    signal: new AbortController().signal,
  };
  return shareCalls((name) => lookUpTxtRecords(name, () => servers(), context));
};

/** Shares one call among concurrent callers with equal arguments, and limits the number of concurrent calls. */
export const shareCalls = <T>(act: (name: string) => Promise<T>, atOnce = AT_ONCE): ((name: string) => Promise<T>) => {
  const underWay = new Map<string, Promise<T>>();
  const inTurn = createSemaphore(atOnce);
  return (name) => {
    const known = underWay.get(name);
    if (known) return known;
    const answer = inTurn(() => act(name)).finally(() => underWay.delete(name));
    underWay.set(name, answer);
    return answer;
  };
};
