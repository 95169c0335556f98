import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { inProject } from '../deploy/project.ts';
import { metricsIn } from '../deploy/monitoring/promql.ts';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import { requestRun, waitForOutcome } from './polling.ts';
import { callApiExpecting, endPrograms, serve, uptrail } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('the metrics of a running service');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'a service exposes its checks, to each organization only its own, and every metric of the alerting rules',
  inTemporaryFolder(async (DATA_DIR) => {
    const environment = { DATA_DIR, ADMIN_API_KEY, METRICS_CHECKS: '10', TARGET_POLICY: 'internal' };
    const program = await serve({ ...environment, METRICS_TOKEN: 'let-me-read' });
    const { port } = await httpServer((_, response) => {
      response.end('ok');
    });
    const body = { name: 'Shop "1"', type: 'web', url: `http://127.0.0.1:${port}/`, interval: 60 };
    const { id } = await callApiExpecting<{ id: string }>(program, ADMIN_API_KEY, 201, 'POST', '/v1/checks', body);
    await waitForOutcome(
      program,
      ADMIN_API_KEY,
      await requestRun(program, ADMIN_API_KEY, `/v1/checks/${id}/execute`),
      60,
    );
    const command = async (...words: string[]): Promise<string> => {
      const { code, stdout, stderr } = await uptrail(environment, ...words, '--json');
      assert.is(code, 0, stderr);
      return stdout;
    };
    const other = JSON.parse(await command('organization', 'create', '--name', 'Other')) as { id: string };
    const ofKey = ['--organization', other.id, '--role', 'viewer', '--name', 'Prometheus'];
    const { token: otherKey } = JSON.parse(await command('api-key', 'create', ...ofKey)) as { token: string };

    const read = async (authorization: string): Promise<string> =>
      (await fetch(`${program.address}/metrics`, { headers: { authorization } })).text();
    const series = `uptrail_check_up{check="${id}",name="Shop \\"1\\"",type="web",group="",organization=`;
    const text = await eventually(async () => {
      const found = await read('Bearer let-me-read');
      return found.includes(series) && found;
    });
    assert.match(text, new RegExp(`^uptrail_check_response_seconds\\{check="${id}".*\\} \\d`, 'm'));
    assert.match(text, /^uptrail_check_series_dropped 0$/m);
    assert.match(await read(ADMIN_API_KEY), series);
    const ofOther = await eventually(async () => {
      const found = await read(otherKey);
      return found.includes('uptrail_check_series_dropped 0') && found;
    });
    assert.not.match(ofOther, id);
    assert.not.match(await read('Bearer wrong'), 'uptrail_check');

    const { groups } = parse(inProject('deploy/prometheus/uptrail.rules.yml')) as {
      groups: { rules: { expr: string }[] }[];
    };
    const described = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
    const used = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => metricsIn(expr)));
    // Prometheus adds `up`, and only a cluster has the other one.
    const elsewhere = ['up', 'clock_skew_seconds'];
    assert.equal(
      used.filter((name) => !described.has(name.replace(/_(?:bucket|count|sum)$/, '')) && !elsewhere.includes(name)),
      [],
    );
  }),
);

test.run();
