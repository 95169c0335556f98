// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import { checkHostileScripts } from './hostile-runs.ts';
import { BROWSER } from './scripts/browser.ts';

await checkHostileScripts('misuse of the browser', BROWSER);
