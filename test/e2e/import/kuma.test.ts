import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createKumaDatabase, type KumaRow } from '../../cli/import-from/uptime-kuma/kuma-database.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { callApiExpecting, endPrograms, serve, uptrail } from '../program.ts';
import { kumaMonitors, UP, type WatchedMonitor } from './kuma-monitors.ts';
import { startKumaTargets } from './kuma-targets.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const test = suite('moving in from Uptime Kuma');
test.after.each(endPrograms);

/** Time limit for the first results of all checks, in milliseconds. */
const SOON = 60_000;

interface ShownCheck {
  name: string;
  group: { name: string } | null;
  active: boolean;
  status: string;
}

const createDatabase = (file: string, monitors: readonly WatchedMonitor[]): void => {
  const ids = monitors.map((_, index) => index + 1);
  createKumaDatabase(file, '2.0', {
    monitor: monitors.map(({ row }, index) => ({ id: index + 1, interval: 60, ...row })),
    heartbeat: monitors.flatMap(({ last }, index) =>
      last === null ? [] : [{ monitor_id: index + 1, status: last, time: '2026-03-01 12:00:00', msg: '' }],
    ),
    tag: [{ id: 1, name: 'Moved', color: '#fff' }],
    monitor_tag: ids.map((id) => ({ monitor_id: id, tag_id: 1, value: 'In 2026' })),
    // The address is refused, so no notification leaves this machine.
    notification: [
      {
        id: 1,
        name: 'Hook',
        config: '{"type":"webhook","webhookURL":"http://127.0.0.1:9/","webhookContentType":"json"}',
      },
      { id: 2, name: 'Discord', config: '{"type":"discord","discordWebhookUrl":"http://127.0.0.1:9/"}' },
      {
        id: 3,
        name: 'Key',
        config: '{"type":"PagerDuty","pagerdutyIntegrationUrl":"http://127.0.0.1:9/","pagerdutyIntegrationKey":"x"}',
      },
      { id: 4, name: 'Teams', config: '{"type":"teams","webhookUrl":"http://127.0.0.1:9/"}' },
      {
        id: 5,
        name: 'Matrix',
        config: '{"type":"matrix","homeserverUrl":"http://127.0.0.1:9","internalRoomId":"!a:b","accessToken":"x"}',
      },
      { id: 6, name: 'Rest', config: '{"type":"GrafanaOncall","GrafanaOncallURL":"http://127.0.0.1:9/"}' },
    ],
    monitor_notification: ids.map((id) => ({ monitor_id: id, notification_id: (id % 6) + 1 })),
    status_page: [{ id: 1, slug: 'shop', title: 'Shop status', icon: '/icon.svg', theme: 'auto' }],
    group: [{ id: 1, name: 'Web', status_page_id: 1 }],
    monitor_group: [1, 3, 4, 43].map((id) => ({ monitor_id: id, group_id: 1 })),
  });
};

test(
  'a database with 60 monitors becomes checks that agree with the last status of each monitor',
  inTemporaryFolder(async (folder) => {
    const targets = await startKumaTargets();
    try {
      const monitors = kumaMonitors(targets);
      assert.is(monitors.length, 60);
      createDatabase(join(folder, 'kuma.db'), monitors);
      const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY, WEBHOOK_POLICY: 'internal' };
      const program = await serve(environment);
      const importing = { ...environment, UPTRAIL_URL: program.address, UPTRAIL_API_KEY: ADMIN_API_KEY };
      const runImport = () => uptrail(importing, 'import-from', 'uptime-kuma', join(folder, 'kuma.db'));
      const imported = await runImport();
      assert.is(imported.code, 0, imported.stdout + imported.stderr);

      const expected = monitors.filter(
        ({ row: { type, active, upside_down }, last }) =>
          last !== null && !['group', 'docker'].includes(String(type)) && active !== 0 && upside_down !== 1,
      );
      // Outside of groups, a check has a name of its own.
      const nameOf = (row: KumaRow): string =>
        row['name'] === 'Home' && row['parent'] === undefined ? 'Home (2)' : String(row['name']);
      const wanted = new Set(expected.map(({ row, last }) => `${nameOf(row)} ${last === UP ? 'up' : 'down'}`));
      let wrong: string[] = [];
      await eventually(
        async () => {
          const { checks } = await callApiExpecting<{ checks: ShownCheck[] }>(
            program,
            ADMIN_API_KEY,
            200,
            'GET',
            '/v1/checks?page_size=100',
          );
          const shown = checks.filter(({ active }) => active).map(({ name, status }) => `${name} ${status}`);
          assert.is(shown.length, wanted.size);
          wrong = shown.filter((one) => !wanted.has(one));
          return wrong.length === 0;
        },
        { within: SOON, what: 'all checks have the status that Uptime Kuma stored' },
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${wrong.join(', ')}`);
      });
      const { checks: heartbeats } = await callApiExpecting<{ checks: { name: string }[] }>(
        program,
        ADMIN_API_KEY,
        200,
        'GET',
        '/v1/heartbeats',
      );
      assert.equal(heartbeats.map(({ name }) => name).sort(), ['Job', 'Job paused']);
      assert.match(imported.stdout, /"Docker": was not imported/);
      assert.match(imported.stdout, /"Upside down": was imported paused/);
      assert.match((await runImport()).stdout, /: 0 created, 0 changed, \d+ unchanged\./);
    } finally {
      await targets.close();
    }
  }),
);

test.run();
