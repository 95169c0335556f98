import { holdScripts } from './holding.ts';
import { PROCESSES } from './scripts/processes.ts';

await holdScripts('processes', PROCESSES);
