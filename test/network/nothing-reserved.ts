import type { ReservedTargets, CurrentReservedTargets } from '../../network/policy.ts';

/** As of a service that uses no servers and listens nowhere. */
export const NOTHING_RESERVED: ReservedTargets = { reserved: [], listeners: [], machine: [] };

/** The same, for good. */
export const NEVER_RESERVED: CurrentReservedTargets = { now: () => NOTHING_RESERVED, onChange: () => undefined };
