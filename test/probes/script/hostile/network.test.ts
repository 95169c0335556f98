// Own process: it sets SECRETS_KEY, as the service has it.
import { holdScripts } from './hostile-runs.ts';
import { NETWORK } from './scripts/network.ts';

await holdScripts('the network', NETWORK);
