// Own process: it sets SECRETS_KEY, as the service has it.
import { checkHostileScripts } from './hostile-runs.ts';
import { BROWSER } from './scripts/browser.ts';

await checkHostileScripts('what a browser can do', BROWSER);
