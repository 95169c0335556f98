import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import { callApi, endPrograms, serve, uptrail } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('the export of a status page');
test.after.each(endPrograms);

test(
  'a status page is exported while the service runs, and also from the data of a stopped service',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY };
    const program = await serve(environment);
    const page = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Acme' });
    const { id, subdomain } = page.body as { id: string; subdomain: string };
    const incidents = `/v1/pages/${id}/incidents`;
    const slow = { name: 'Slow search', status: 'investigating', body: 'We look into it.', components: {} };
    await callApi(program, ADMIN_API_KEY, 'POST', incidents, slow);
    const site = join(folder, 'site');
    const run = async () => {
      const { code, stdout, stderr } = await uptrail(environment, 'pages', 'export', subdomain, site);
      assert.is(code, 0, stderr);
      return stdout;
    };
    const shown = () => readFileSync(join(site, 'index.html'), 'utf8');
    await eventually(async () => {
      assert.match(await run(), /^\d+ files in .*: \d+ written, \d+ removed\.\n$/);
      return shown().includes('Slow search');
    });
    assert.is(statSync(join(site, 'index.html')).mode & 0o777, 0o644);
    assert.is(readFileSync(join(site, 'card.png')).toString('latin1', 1, 4), 'PNG');
    const served = await fetch(`${program.address}/status/${subdomain}/badge.svg`);
    assert.is(readFileSync(join(site, 'badge.svg'), 'utf8'), await served.text());

    await program.end('SIGTERM');
    rmSync(site, { recursive: true });
    await run();
    assert.match(shown(), 'Slow search');
    assert.ok(existsSync(join(site, 'embed.js')));
    const unknown = await uptrail(environment, 'pages', 'export', 'nobody', site);
    assert.equal([unknown.code, unknown.stderr], [1, 'No page has the subdomain "nobody".\n']);
  }),
);

test.run();
