import type { Reserved, ReservedNow } from '../../network/policy.ts';

/** As of a service that uses no servers and listens nowhere. */
export const NOTHING_RESERVED: Reserved = { reserved: [], listeners: [], machine: [] };

/** The same, for good. */
export const NEVER_RESERVED: ReservedNow = { now: () => NOTHING_RESERVED, onChange: () => undefined };
