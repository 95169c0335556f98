import { derivedId } from '../identity.ts';

/**
 * Returns a pseudonym of a heartbeat for work lists of reactors, causes of messages and log lines. The id itself is a
 * secret, because anyone who knows it can ping the heartbeat.
 */
export const publicNameOf = (heartbeatId: string): string => derivedId(`heartbeat/${heartbeatId}`);
