// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import { checkHostileScripts } from './hostile-runs.ts';
import { NETWORK } from './scripts/network.ts';

await checkHostileScripts('the network', NETWORK);
