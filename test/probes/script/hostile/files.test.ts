// Own process: it sets SECRETS_KEY, as the service has it.
import { checkHostileScripts } from './hostile-runs.ts';
import { FILES } from './scripts/files.ts';

await checkHostileScripts('what is on the machine', FILES);
