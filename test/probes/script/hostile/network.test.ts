// Own process: it sets SECRETS_KEY, as the service has it.
import { checkHostileScripts } from './hostile-runs.ts';
import { NETWORK } from './scripts/network.ts';

await checkHostileScripts('the network', NETWORK);
