/** Where a process begins that runs scripts of checks (probes/script/). */
import { serveProbes } from './serve.ts';
import { openScripts } from '../../probes/script/scripts.ts';

serveProbes(async ({ scripts: settings }, context) => {
  if (!settings) throw new Error('It was not said how scripts run.');
  return openScripts({
    settings,
    ...context,
    cannotStart: (cause) => process.stderr.write(`A sandbox could not be started: ${cause}\n`),
  });
});
