import { claimIdentity } from '../../../../probes/script/sandbox/identities.ts';

/** A process that takes a user for a sandbox, says which, and waits to be killed. */
const { uid } = await claimIdentity();
process.send?.(uid);
setInterval(() => undefined, 1_000);
