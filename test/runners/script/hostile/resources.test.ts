import { holdScripts } from './holding.ts';
import { RESOURCES } from './scripts/resources.ts';

await holdScripts('memory and disk', RESOURCES);
