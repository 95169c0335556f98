import type { TextAnswer } from '../../domain/email-domain/judge.ts';
import { createSemaphore } from '../../domain/mutex.ts';
import { systemClock } from '../clock.ts';
import { systemServers } from './servers.ts';
import { chosenServers, lookUpTexts } from './texts.ts';
import { livePolicyOf, type ReservedNow } from '../policy.ts';
import { systemResolve } from '../resolve.ts';

/** How many names a process looks up at once; more wait. */
const AT_ONCE = 16;

/**
 * Looks up TXT records. What is asked meanwhile gets the same answer.
 *
 * @param dnsServers as `DNS_SERVERS` names them; null: those of the system
 */
export const domainTexts = (
  dnsServers: readonly string[] | null,
  reserved: ReservedNow,
): ((name: string) => Promise<TextAnswer>) => {
  const servers = dnsServers === null ? systemServers : async () => chosenServers(dnsServers);
  const context = {
    clock: systemClock,
    resolve: systemResolve,
    // The servers are the operator's.
    policy: livePolicyOf({ policy: 'internal' }, reserved),
    signal: new AbortController().signal,
  };
  return sharing((name) => lookUpTexts(name, () => servers(), context));
};

/** Calls a function once for equal arguments at the same time, and only so often at once. */
export const sharing = <T>(act: (name: string) => Promise<T>, atOnce = AT_ONCE): ((name: string) => Promise<T>) => {
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
