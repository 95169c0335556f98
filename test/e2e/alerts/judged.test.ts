import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomFrom } from '../../contracts/random.ts';
import { closeServers } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck } from '../checking.ts';
import { requestRun } from '../polling.ts';
import { callApi, endPrograms, IS_CLUSTER, serve, type RunningProgram } from '../program.ts';
import { waitForAlerts, alertsOf, loggedAlerts, createRuleFor, stoppableServer } from './alerting.ts';
import { realPause } from '../../waiting.ts';

const MOMENT = 'events happen, and the program is killed, at any moment';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Number of kills. It is smaller in a cluster, where each kill takes as long as a takeover. */
const KILLS = IS_CLUSTER ? 3 : 20;
/** Time limit for a run and its consequences on a slow machine, in seconds. In a cluster it includes a takeover. */
const SECONDS = IS_CLUSTER ? 90 : 20;

const test = suite('alerts of a check whose server stops');
test.after.each(endPrograms);
test.after.each(closeServers);

const begin = async (DATA_DIR: string) => {
  const target = await stoppableServer();
  await target.start();
  const environment = { DATA_DIR, ADMIN_API_KEY, PORT: (await freePort()).toString() };
  const program = await serve(environment);
  const check = await createCheck(program, ADMIN_API_KEY, {
    name: 'Shop',
    type: 'web',
    interval: 3_600,
    url: target.url,
  });
  await check.reaches('up', 10);
  const receiver = `http://127.0.0.1:${await freePort()}/`;
  const rule = await createRuleFor(program, ADMIN_API_KEY, check.id, receiver);
  return { target, environment, program, check, rule };
};

test(
  'an alert fires once, is acknowledged, and is resolved automatically when the server is back',
  inTemporaryFolder(async (DATA_DIR) => {
    const { target, program, check, rule } = await begin(DATA_DIR);
    const run = (): Promise<string> => requestRun(program, ADMIN_API_KEY, `${check.path}/execute`);
    assert.equal(await alertsOf(program, ADMIN_API_KEY), []);
    await target.stop();
    await run();
    const [firing] = await waitForAlerts(program, ADMIN_API_KEY, ([alert]) => alert?.status === 'firing', SECONDS);
    assert.is(firing?.rule_id, rule);
    const acknowledged = await callApi(program, ADMIN_API_KEY, 'POST', `/v1/alerts/${firing?.id ?? ''}/acknowledge`);
    assert.is(acknowledged.status, 200);
    await run();
    await check.reaches('down', SECONDS);
    await target.start();
    await run();
    const all = await waitForAlerts(program, ADMIN_API_KEY, ([alert]) => alert?.status === 'resolved', SECONDS);
    assert.equal(
      all.map(({ id, resolution }) => [id, resolution]),
      [[firing?.id, 'auto']],
    );
    assert.ok((all[0]?.duration ?? -1) >= 0);
    assert.is((await program.end('SIGTERM')).code, 0);
  }),
);

test(
  'a rule never has two active alerts, and each alert is resolved once, no matter when the program is killed',
  inTemporaryFolder(async (DATA_DIR) => {
    const random = randomFrom(20_261_123);
    const begun = await begin(DATA_DIR);
    const { target, environment, check, rule } = begun;
    let { program } = begun;

    /** Stops and starts the server in turn, and runs the check. Requests that fail because of a kill are ignored. */
    const story = async (by: RunningProgram): Promise<void> => {
      for (let i = 0; i < 4; i++) {
        await realPause(random.below(200), MOMENT);
        if (target.isUp()) await target.stop();
        else await target.start();
        const requested = await callApi(by, ADMIN_API_KEY, 'POST', `${check.path}/execute`).catch((error: unknown) => {
          if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
          return { status: 0, body: null };
        });
        if (requested.status === 0) return;
        assert.ok(requested.status < 500, JSON.stringify(requested.body));
      }
    };

    for (let kill = 0; kill < KILLS; kill++) {
      const receivers = story(program);
      await realPause(200 + random.below(1_000), MOMENT);
      await program.end('SIGKILL');
      await receivers;
      program = await serve(environment);
    }

    const run = (by: RunningProgram): Promise<string> => requestRun(by, ADMIN_API_KEY, `${check.path}/execute`);
    await target.stop();
    await run(program);
    await waitForAlerts(program, ADMIN_API_KEY, ([alert]) => alert?.status === 'firing', SECONDS);
    await target.start();
    await run(program);
    const shown = await waitForAlerts(program, ADMIN_API_KEY, ([alert]) => alert?.status === 'resolved', SECONDS);
    assert.ok(shown.every(({ status, rule_id }) => status === 'resolved' && rule_id === rule));
    assert.is((await program.end('SIGTERM')).code, 0);

    const logged = await loggedAlerts(environment);
    const fired = logged.filter(({ type }) => type === 'AlertFired');
    assert.equal(
      fired.map(({ data }) => data.number),
      fired.map((_, index) => index + 1),
    );
    // Each alert is resolved before the next one fires.
    assert.equal(
      logged.map(({ type, data }) => `${type} ${data.alert_id}`),
      fired.flatMap(({ data }) => [`AlertFired ${data.alert_id}`, `AlertResolved ${data.alert_id}`]),
    );
  }),
);

test.run();
