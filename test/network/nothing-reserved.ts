import type { ReservedTargets, CurrentReservedTargets } from '../../network/policy.ts';

/** The reserved targets of a service that uses no servers and listens on no port. */
export const NOTHING_RESERVED: ReservedTargets = { reserved: [], listeners: [], machine: [] };

/** Reserved targets that are always empty. */
export const NEVER_RESERVED: CurrentReservedTargets = { now: () => NOTHING_RESERVED, onChange: () => undefined };
