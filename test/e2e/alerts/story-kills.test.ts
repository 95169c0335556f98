import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomFrom } from '../../contracts/random.ts';
import { lacking } from '../../notifiers/email/mailbox.ts';
import { closedPort, closeServers } from '../../runners/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { endPrograms, IS_CLUSTER, serve, uptrail, type Program } from '../program.ts';
import { begunToTell } from '../subscribing.ts';
import {
  alertsOf,
  KEY,
  openReceivers,
  openTarget,
  RECEIVERS,
  runNow,
  setUp,
  until,
  type Heard,
  type Receivers,
} from './scene.ts';

/** in a cluster each takes as long as taking over from the dead */
const KILLS = IS_CLUSTER ? 2 : 20;

const test = suite('kill -9 while alerts fire and end');

let receivers: Receivers | null = null;
test.after.each(async () => {
  await endPrograms();
  await closeServers();
  await receivers?.close();
  receivers = null;
});

const missing = lacking();
const specify: typeof test = missing === null ? test : ((() => undefined) as unknown as typeof test);
if (missing !== null) console.log(`skipped: ${missing}`);

interface Stored {
  type: string;
  data: { alert_id: string; number?: number };
}

specify(
  'never two alerts are active, no message is lost, and one that comes again has the same id',
  inTemporaryFolder(async (folder) => {
    const told = (receivers = await openReceivers());
    const random = randomFrom(20_261_123);
    const PORT = (await closedPort()).toString();
    const PUBLIC_URL = `http://127.0.0.1:${PORT}`;
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY: KEY, PORT, PUBLIC_URL, ...told.environment };
    const target = await openTarget();
    let program: Program = await serve(environment);
    await begunToTell(environment);
    const { check, rule } = await setUp(program, target, told);

    for (let kill = 0; kill < KILLS; kill++) {
      // In turn it goes down and comes back, so that each kill hits an alert that fires or one that ends.
      await (kill % 2 === 0 ? target.stop() : target.start());
      await runNow(program, check);
      await sleep(random.below(1_500));
      await program.end('SIGKILL');
      program = await serve(environment);
    }

    await target.start();
    await runNow(program, check);
    await until(
      'the end of all alerts',
      () => alertsOf(program, rule, 'active'),
      (active) => active.length === 0,
    );
    const alerts = await alertsOf(program, rule);
    assert.ok(alerts.length > 0 && alerts.length <= KILLS / 2, alerts.length.toString());
    const events: readonly Heard['event'][] = ['alert.fired', 'alert.resolved'];
    const wanted = alerts.flatMap(({ id }) => events.map((event) => ({ id, event })));
    const missed = () =>
      wanted.flatMap(({ id, event }) => {
        const messages = told.ofAlert(id, event);
        return RECEIVERS.filter((by) => messages.get(by)?.length === 0).map((by) => `${by}: ${event} ${id}`);
      });
    await until('every message', missed, (still) => still.length === 0);
    assert.is((await program.end('SIGTERM')).code, 0);

    // What comes again is the same message: what has an id keeps it.
    for (const { id, event } of wanted) {
      for (const [by, messages] of told.ofAlert(id, event)) {
        assert.is(new Set(messages.map((message) => message.id)).size, 1, `${by}: ${event} ${id}`);
      }
    }
    assert.is(new Set(told.heard.map(({ alert }) => alert)).size, alerts.length);
    const hooks = told.heard.filter(({ by }) => by === 'webhook').map(({ id }) => id);
    assert.is(new Set(hooks).size, wanted.length);
    assert.equal(told.wrong, []);
    // A recovery is first heard after the message that it fired.
    for (const { id } of alerts) {
      for (const by of RECEIVERS) {
        const [first] = told.heard.filter((one) => one.alert === id && one.by === by);
        assert.is(first?.event, 'alert.fired', `${by} ${id}`);
      }
    }

    const replayed = await uptrail(environment, 'replay', '--log', 'main', '--type', 'AlertFired', 'AlertResolved');
    const stored = replayed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Stored);
    assert.equal(
      stored.map(({ type }) => type),
      alerts.flatMap(() => ['AlertFired', 'AlertResolved']),
    );
    const fired = stored.filter(({ type }) => type === 'AlertFired');
    assert.equal(
      fired.map(({ data }) => data.number),
      alerts.map((_, index) => index + 1),
    );
  }),
);

test.run();
