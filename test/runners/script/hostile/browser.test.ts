import { holdScripts } from './holding.ts';
import { BROWSER } from './scripts/browser.ts';

await holdScripts('what a browser can do', BROWSER);
