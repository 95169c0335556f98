import { derivedId } from '../identity.ts';

/**
 * A pseudonym of a heartbeat for work lists of reactors, causes of messages and log lines. The id itself is a secret,
 * since it is enough to ping the heartbeat.
 */
export const publicNameOf = (heartbeatId: string): string => derivedId(`heartbeat/${heartbeatId}`);
