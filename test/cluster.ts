/**
 * Runs the tests of the cluster's store adapters and those in `test/e2e/cluster` on real servers instead of test
 * doubles. Environment variables name the servers (docs/develop/testing.md).
 *
 * Usage: `npm run test:cluster [-- part-of-a-path …]`. Each test uses its own prefix and database, and removes them at
 * its end. Tests of faulty servers still use doubles, because a real server cannot be made to misbehave.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from './project.ts';

/**
 * Parts of paths, by variable. The test files whose paths contain one of these parts use the server that the variable
 * names.
 */
const FILES: Readonly<Record<string, readonly string[]>> = {
  EVENTSTOREDB_URL: ['eventstoredb/', 'e2e/cluster/'],
  EVENTSTOREDB_COMMAND: ['eventstoredb/', 'e2e/cluster/'],
  MONGODB_URL: ['mongodb', 'e2e/cluster/'],
};

const isNamed = (variable: string): boolean => process.env[variable] !== undefined;

const refuse = (sentence: string): never => {
  console.error(sentence);
  process.exit(2);
};

const named = Object.keys(FILES).filter(isNamed);
if (named.length === 0) refuse(`None of ${Object.keys(FILES).join(', ')} is set: there is no server to test on.`);
if (isNamed('EVENTSTOREDB_URL') && isNamed('EVENTSTOREDB_COMMAND'))
  refuse(
    'EVENTSTOREDB_URL and EVENTSTOREDB_COMMAND are both set: use either a permanent server, or a command that starts servers.',
  );
const chosen = process.argv.slice(2);
const files = chosen.length > 0 ? chosen : new Set(named.flatMap((variable) => FILES[variable] ?? []));
const child = spawn(process.execPath, [compiled('test/run.ts'), ...files], { stdio: 'inherit' });
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
