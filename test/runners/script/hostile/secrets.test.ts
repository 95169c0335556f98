import { holdScripts } from './holding.ts';
import { SECRETS } from './scripts/secrets.ts';

await holdScripts('secrets', SECRETS);
