import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { freePort } from '../servers/ports.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApi, endPrograms, IS_CLUSTER, serve, uptrail } from './program.ts';
import { waitUntilNotifying, waitForSentMessages, subscribeHooks, type Hook } from './subscribing.ts';
import { eventually } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Number of kills. It is smaller in a cluster, where each kill takes as long as a takeover. */
const KILLS = IS_CLUSTER ? 2 : 10;
const HOOKS = 1_000;
/** Number of incidents. With two, there are always messages to plan or to send. */
const INCIDENTS = 2;

const test = suite('kill -9 in the middle of a mailing');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'a program that is killed during a mailing to a thousand subscribers loses no message, repeats a message only with the same id, and lists each delivery in the log',
  inTemporaryFolder(async (DATA_DIR) => {
    const hooks = new Map<string, Hook>();
    /** message ids by subscriber and incident */
    const received = new Map<string, string[]>();
    const unsigned: string[] = [];
    let count = 0;
    const receiver = await httpServer(({ url = '', headers }, response, body) => {
      const hook = hooks.get(url);
      try {
        const output = new Webhook(hook?.secret ?? '').verify(body, headers as Record<string, string>);
        const { event, incident } = output as { event: string; incident: { id: string } };
        assert.is(event, 'incident.created');
        const key = `${hook?.id ?? ''}/${incident.id}`;
        received.set(key, [...(received.get(key) ?? []), headers['webhook-id'] as string]);
        count++;
      } catch (error) {
        unsigned.push(`${url}: ${String(error)}`);
      }
      response.writeHead(204).end();
    });

    const environment = { DATA_DIR, ADMIN_API_KEY, PORT: (await freePort()).toString() };
    let program = await serve(environment);
    await waitUntilNotifying(environment);
    const make = async (path: string, body: object): Promise<{ id: string; organization_id: string }> => {
      const answer = await callApi(program, ADMIN_API_KEY, 'POST', path, body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body as { id: string; organization_id: string };
    };
    const { id: page_id, organization_id } = await make('/v1/pages', { name: 'Acme' });
    const urls = Array.from({ length: HOOKS }, (_, index) => `/${index}`);
    const base = `http://127.0.0.1:${receiver.port}`;
    const subscribed = await subscribeHooks(
      environment,
      { page_id, organization_id },
      urls.map((url) => `${base}${url}`),
    );
    for (const hook of subscribed) hooks.set(new URL(hook.url).pathname, hook);

    const kills = KILLS / INCIDENTS;
    for (let incident = 0; incident < INCIDENTS; incident++) {
      const outage = { name: 'Outage', body: 'We look.', status: 'investigating', components: {} };
      await make(`/v1/pages/${page_id}/incidents`, outage);
      // The first kill happens while the mailing is planned, and the others while messages are pending.
      for (let kill = 0; kill < kills; kill++) {
        const enough = HOOKS * (incident + (0.9 * kill) / kills);
        await eventually(() => count >= enough, { within: 180_000 });
        await program.end('SIGKILL');
        program = await serve(environment);
      }
    }

    const all = HOOKS * INCIDENTS;
    const logged = await waitForSentMessages(program, ADMIN_API_KEY, page_id, all);
    assert.equal(unsigned, []);
    assert.is(received.size, all);
    const ids = [...received.values()].map((some) => new Set(some));
    assert.ok(ids.every(({ size }) => size === 1));
    assert.is(new Set(ids.flatMap((some) => [...some])).size, all);
    assert.is(logged.length, all);
    for (const { id, subscriber_id, incident_id } of logged) {
      assert.ok(received.get(`${subscriber_id}/${incident_id}`)?.includes(id));
    }
    const listed = await uptrail(environment, 'notifications', '--limit', '5', '--json');
    assert.is(listed.stdout.trim().split('\n').length, 5, listed.stderr);
    assert.is((await uptrail(environment, 'notifications', '--failed', '--json')).stdout, '');
    const [sent] = logged;
    const retried = await uptrail(environment, 'notifications', 'retry', sent?.id ?? '');
    assert.match(retried.stderr, /was not given up/);
    await program.end('SIGTERM');
  }),
);

test.run();
