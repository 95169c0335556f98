// Own process: it sets SECRETS_KEY, as the service has it.
import { checkHostileScripts } from './hostile-runs.ts';
import { RESOURCES } from './scripts/resources.ts';

await checkHostileScripts('memory and disk', RESOURCES);
