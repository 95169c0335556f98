import { claimIdentity } from '../../../../probes/script/sandbox/identities.ts';

/** Claims a user id for a sandbox, prints it, and waits to be killed. */
const { uid } = await claimIdentity();
process.send?.(uid);
setInterval(() => undefined, 1_000);
