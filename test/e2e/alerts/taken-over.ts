import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectionKey } from '../../../projections/engine/fold/define.ts';
import { ruleInputs } from '../../../projections/rule-inputs/projection.ts';
import { lacking } from '../../notifiers/email/mailbox.ts';
import { closeServers } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { startPairedCluster, type PairedCluster } from '../cluster-pairs.ts';
import { endPrograms, uptrail } from '../program.ts';
import { waitUntilNotifying } from '../subscribing.ts';
import { waitUntilAllEnded, assertOneAtATime, assertNotifiedOnce } from './alert-assertions.ts';
import {
  alertsOf,
  KEY,
  openReceivers,
  openTarget,
  runNow,
  createAlertFixture,
  waitUntil,
  type Receivers,
} from './alert-fixture.ts';
import { realPause } from '../../waiting.ts';

const JUDGE = 'reactor:alert-rules';
const DELIVERY = 'reactor:delivery';
const INPUTS = `projection:${projectionKey(ruleInputs)}`;
/** Time in which a process that has lost its lease could do something wrong, in milliseconds. */
const TOGETHER_MS = 3_000;

const test = suite('alerts of a cluster with takeovers');

let receivers: Receivers | null = null;
let cluster: PairedCluster | null = null;
test.after.each(async () => {
  await cluster?.close();
  await endPrograms();
  await closeServers();
  await receivers?.close();
  cluster = receivers = null;
});

const specification = async (): Promise<void> => {
  const current = (receivers = await openReceivers());
  const PORT = (await freePort()).toString();
  const PUBLIC_URL = `http://127.0.0.1:${PORT}`;
  const pairs = (cluster = await startPairedCluster({ ADMIN_API_KEY: KEY, PORT, PUBLIC_URL, ...current.environment }));
  const { api, environment, holderOf, killHolderOf, end } = pairs;
  await waitUntilNotifying(environment);
  const target = await openTarget();
  const { check, rule } = await createAlertFixture(api, target, current);
  const activeAre = (count: number) =>
    waitUntil(
      `${count} active alerts`,
      () => alertsOf(api, rule, 'active'),
      (active) => active.length === count,
    );
  const countOf = (event: string): number => current.received.filter((message) => message.event === event).length;

  // Kills the process that evaluates rules, as soon as a run has failed.
  await target.stop();
  await runNow(api, check);
  await killHolderOf(JUDGE);
  // Kills the process that delivers messages, after the first message has arrived.
  await waitUntil(
    'the first message',
    () => countOf('alert.fired'),
    (count) => count > 0,
  );
  await killHolderOf(DELIVERY);
  await activeAre(1);

  // Pauses the process that evaluates rules until another process has resolved the alert. Then the paused process
  // continues without knowing that it has lost its lease.
  const judge = await holderOf(JUDGE);
  process.kill(judge.pid, 'SIGSTOP');
  await target.start();
  await runNow(api, check);
  await activeAre(0);
  assert.is.not((await holderOf(JUDGE)).pid, judge.pid);
  await target.stop();
  await runNow(api, check);
  process.kill(judge.pid, 'SIGCONT');
  await activeAre(1);
  await realPause(TOGETHER_MS, 'processes that both believe to hold the lease must not judge twice');
  assert.is((await alertsOf(api, rule)).length, 2);

  // Kills the process that folds the inputs of rules, before it has folded the result that shows the recovery.
  await target.start();
  await runNow(api, check);
  await killHolderOf(INPUTS);
  const alerts = await waitUntilAllEnded(api, rule, current);
  assert.is(alerts.length, 2);
  assert.equal(
    (await end()).filter((code) => code !== 0),
    [],
  );
  assertNotifiedOnce(current, alerts);
  await assertOneAtATime(environment, alerts);
  const verified = await uptrail(environment, 'rebuild', '--all', '--verify');
  assert.is(verified.code, 0, verified.stdout + verified.stderr);
};

const missing = lacking();
if (missing === null)
  test(
    'alerts of a cluster fire, notify and are resolved once each, even if any process is killed or paused in between',
    specification,
  );
else console.log(`skipped: ${missing}`);

test.run();
