/** Prints why scripts cannot run in this process. Prints nothing if they can. */
import { whyNoSandbox } from '../../probes/script/sandbox/why-no-sandbox.ts';

const why = await whyNoSandbox();
if (why !== null) console.log(why);
