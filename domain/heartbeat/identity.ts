import { derivedId } from '../identity.ts';

/**
 * A heartbeat by another name: whoever knows its id can ping it, so lists of reactors, causes of messages and lines of
 * logs use this one.
 */
export const publicNameOf = (heartbeatId: string): string => derivedId(`heartbeat/${heartbeatId}`);
