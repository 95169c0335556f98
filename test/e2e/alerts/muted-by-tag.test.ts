import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck } from '../checking.ts';
import { requestRun } from '../polling.ts';
import { callApi, endPrograms, IS_CLUSTER, serve } from '../program.ts';
import { waitForAlerts, createResource, stoppableServer } from './alerting.ts';
import { waitUntil } from './alert-fixture.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const SECONDS = IS_CLUSTER ? 90 : 20;

const test = suite('an alert rule with a tag, and a muted check');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'an alert rule with a tag alerts for each check separately: for a muted check only after the mute, and not for a check that lost the tag',
  inTemporaryFolder(async (DATA_DIR) => {
    const target = await stoppableServer();
    await target.start();
    /** messages by id: the program repeats a message under its id if it was killed before it recorded the delivery */
    const received = new Map<unknown, string>();
    const hook = await httpServer(({ headers }, response, body) => {
      const { event, alert } = JSON.parse(body) as { event: string; alert: { check_name: string } };
      received.set(headers['webhook-id'], `${event} ${alert.check_name}`);
      response.writeHead(204).end();
    });
    const environment = { DATA_DIR, ADMIN_API_KEY, PORT: (await freePort()).toString() };
    let program = await serve(environment);
    const definition = { type: 'web', interval: 86_400, url: target.url, tags: ['shop'] };
    const muted_until = new Date(Date.now() + 86_400_000).toISOString();
    const loud = await createCheck(program, ADMIN_API_KEY, { ...definition, name: 'Loud' });
    const quiet = await createCheck(program, ADMIN_API_KEY, { ...definition, name: 'Quiet', muted_until });
    for (const check of [loud, quiet]) await check.reaches('up', 10);
    const url = `http://127.0.0.1:${hook.port}/`;
    const channel = await createResource(program, ADMIN_API_KEY, '/v1/alerts/channels', {
      name: 'Hook',
      type: 'webhook',
      configuration: { url },
    });
    const rule = { name: 'Shops answer', tag: 'shop', condition: 'check_failed', cooldown_period: 0 };
    await createResource(program, ADMIN_API_KEY, '/v1/alerts/rules', { ...rule, channel_ids: [channel.id] });
    const run = async (): Promise<void> => {
      for (const { path } of [loud, quiet]) await requestRun(program, ADMIN_API_KEY, `${path}/execute`);
    };
    const change = async ({ path }: { path: string }, body: object): Promise<void> => {
      assert.is((await callApi(program, ADMIN_API_KEY, 'PATCH', path, body)).status, 200);
    };
    const hears = async (...expected: string[]): Promise<void> => {
      await waitUntil(
        'the messages',
        () => [...received.values()],
        (messages) => messages.join() === expected.join(),
      );
    };

    await target.stop();
    await run();
    await waitForAlerts(
      program,
      ADMIN_API_KEY,
      (alerts) => alerts.length === 2 && alerts.every(({ status }) => status === 'firing'),
      SECONDS,
    );
    await hears('alert.fired Loud');
    await program.end('SIGKILL');
    program = await serve(environment);
    await change(quiet, { muted_until: null });
    await hears('alert.fired Loud', 'alert.fired Quiet');
    await change(loud, { tags: [] });
    await hears('alert.fired Loud', 'alert.fired Quiet', 'alert.resolved Loud');
    await target.start();
    await run();
    await hears('alert.fired Loud', 'alert.fired Quiet', 'alert.resolved Loud', 'alert.resolved Quiet');
    await target.stop();
    await run();
    // The check that lost its tag causes no more alerts.
    await hears(
      'alert.fired Loud',
      'alert.fired Quiet',
      'alert.resolved Loud',
      'alert.resolved Quiet',
      'alert.fired Quiet',
    );
    assert.is((await program.end('SIGTERM')).code, 0);
  }),
);

test.run();
