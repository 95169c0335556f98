import { holdScripts } from './holding.ts';
import { NETWORK } from './scripts/network.ts';

await holdScripts('the network', NETWORK);
