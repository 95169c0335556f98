/** Says whether scripts can run where this is started: nothing, or why not. */
import { whyNoSandbox } from '../../probes/script/sandbox/why-no-sandbox.ts';

const why = await whyNoSandbox();
if (why !== null) console.log(why);
