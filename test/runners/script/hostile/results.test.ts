import { holdScripts } from './holding.ts';
import { RESULTS } from './scripts/results.ts';

await holdScripts('its own results', RESULTS);
