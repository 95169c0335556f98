/**
 * Runs the contract suites and the tests of the adapters on the servers that `EVENTSTOREDB_URL` and `MONGODB_URL`
 * name, instead of on their stand-ins: `npm run test:cluster`. Each test has its own streams and database, and
 * deletes them afterwards. Tests of what servers do wrong have stand-ins all the same, since a real server can't
 * be told to.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Parts of the paths of the test files that each variable's server is for. */
const FILES: readonly (readonly [string, string])[] = [
  ['EVENTSTOREDB_URL', 'eventstoredb/'],
  ['MONGODB_URL', 'mongodb'],
];

const named = FILES.filter(([variable]) => process.env[variable] !== undefined);
if (named.length === 0) {
  console.error('Neither EVENTSTOREDB_URL nor MONGODB_URL is set: there is no server to test on.');
  process.exit(2);
}
const run = fileURLToPath(new URL('run.ts', import.meta.url));
const child = spawn(process.execPath, ['--import', 'tsx', run, ...named.map(([, files]) => files)], {
  stdio: 'inherit',
});
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
