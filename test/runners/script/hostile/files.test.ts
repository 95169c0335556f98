import { holdScripts } from './holding.ts';
import { FILES } from './scripts/files.ts';

await holdScripts('what is on the machine', FILES);
