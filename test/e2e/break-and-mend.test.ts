// Own process: this file restarts itself in a network namespace.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { runInOwnNetwork } from '../own-network.ts';
import { createCheck } from './checking.ts';
import { endPrograms, serve, type RunningProgram } from './program.ts';
import { dnsTarget } from './targets/dns.ts';
import { icmpTarget } from './targets/icmp.ts';
import { kindsHere } from './targets/kinds.ts';
import { portscanTarget } from './targets/portscan.ts';
import { sslTarget } from './targets/ssl.ts';
import type { Target } from './targets/target.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** The interval and the timeout of checks, in seconds. */
const INTERVAL = 30;
const TIMEOUT = 10;

const hasOwnNetwork = runInOwnNetwork();

const test = suite('a check whose target breaks');
test.after.each(endPrograms);

interface Breakable {
  kind: 'ssl' | 'dns' | 'icmp' | 'portscan';
  create: (folder: string) => Promise<Target>;
}
const KINDS: Breakable[] = [
  { kind: 'ssl', create: sslTarget },
  { kind: 'dns', create: dnsTarget },
  { kind: 'icmp', create: icmpTarget },
  { kind: 'portscan', create: portscanTarget },
];
const kinds = kindsHere(test, KINDS, hasOwnNetwork ? {} : { icmp: 'network namespaces can not be made here' });

/**
 * Breaks and mends the target of a check. Asserts that the check is up, goes down with the expected error message, and
 * is up again.
 */
const follow = async (program: RunningProgram, target: Target): Promise<void> => {
  const { definition, broken } = target;
  const check = await createCheck(program, ADMIN_API_KEY, { ...definition, interval: INTERVAL, timeout: TIMEOUT });
  assert.is(check.statusAtFirst, 'pending');
  await check.reaches('up', INTERVAL);
  const [first] = await check.results();
  assert.is(first?.status, 'ok', definition.name);

  await target.break();
  await check.reaches('down', INTERVAL + TIMEOUT);
  const [result] = await check.results();
  assert.is(result?.status, broken.status, `${definition.name}: ${result?.error_message ?? ''}`);
  assert.match(result?.error_message ?? '', broken.sentence);

  await target.mend();
  await check.reaches('up', INTERVAL + TIMEOUT);
};

test(
  'a check whose target breaks goes down with the expected error message, and is up again after the target is mended',
  inTemporaryFolder(async (folder) => {
    const targets: Target[] = [];
    try {
      for (const { create } of kinds) targets.push(await create(folder));
      const program = await serve({ DATA_DIR: `${folder}/data`, ADMIN_API_KEY });
      await Promise.all(targets.map((target) => follow(program, target)));
      assert.is((await program.end('SIGTERM')).code, 0);
    } finally {
      for (const target of targets) await target.close();
    }
  }),
);

test.run();
