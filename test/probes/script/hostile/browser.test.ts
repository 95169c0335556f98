// Own process: it sets SECRETS_KEY, as the service has it.
import { holdScripts } from './hostile-runs.ts';
import { BROWSER } from './scripts/browser.ts';

await holdScripts('what a browser can do', BROWSER);
