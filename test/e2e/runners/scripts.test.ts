import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApiExpecting, endPrograms, serve } from '../program.ts';
import { startPages } from '../scripts/pages.ts';
import { whyNoScripts } from '../scripts/sandboxed.ts';
import { ADMIN_API_KEY, waitForConnected, createRunner, startRunner, storedResults } from './remote.ts';

/** Time limit for the outcome of a job, in seconds. */
const SOON = 120;

const SCRIPT = `
import { test, expect } from '@playwright/test';

test('the shop', async ({ page }) => {
  await page.goto('/');
  await page.screenshot({ path: 'shop.png' });
  await expect(page.locator('h1')).toHaveText(process.env.HEADING);
});
`;

const test = suite('a script on a remote runner');
test.after.each(endPrograms);
test.after.each(closeServers);

const missing = await whyNoScripts();
for (const why of missing) console.log(`skipped: ${why}`);
const specify = (name: string, body: () => Promise<void>): void => {
  if (missing.length === 0) test(name, body);
  else test.skip(name, body);
};

/** Returns every link to a file in the metadata of a result. */
const linksIn = (metadata: object): string[] => [
  ...new Set(JSON.stringify(metadata).match(/\/v1\/artifacts\/[^"]+/g) ?? []),
];

specify(
  'a script on a remote runner gets the secrets that it names, and the service stores its files',
  inTemporaryFolder(async (folder) => {
    const service = await serve({ DATA_DIR: `${folder}/service`, ADMIN_API_KEY });
    const pages = await startPages();
    try {
      const { id, token, region } = await createRunner(service, { name: 'Cellar' });
      const runner = await startRunner(service, { token, folder });
      await waitForConnected(service, id);
      const heading = 'Everything must go';
      const secret = await callApiExpecting<{ id: string }>(service, ADMIN_API_KEY, 201, 'POST', '/v1/secrets', {
        secret_name: 'heading',
        secret_value: heading,
      });
      const check = await createCheck(service, ADMIN_API_KEY, {
        name: 'Shop',
        type: 'synthetic',
        interval: 86_400,
        timeout: 60,
        url: pages.serve({ html: `<title>Shop</title><h1>${heading}</h1>` }),
        active: false,
        secrets: [{ secret_id: secret.id, env_variable: 'HEADING' }],
        parameters: { regions: [region], pw_script: SCRIPT },
      });
      const job = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
      const { result } = await waitForOutcome(service, ADMIN_API_KEY, job, SOON);
      assert.is(result?.status, 'ok', result?.error_message ?? '');
      const [stored] = await storedResults(service, `result_id=${result?.result_id ?? ''}`);
      assert.is(stored?.check_server.server_metadata.runner, 'Cellar');
      const links = linksIn(stored?.check_metadata ?? {});
      assert.ok(links.length > 0, JSON.stringify(stored?.check_metadata));
      const types = await Promise.all(
        links.map(async (link) => {
          const response = await fetch(service.address + link);
          assert.is(response.status, 200, link);
          assert.ok((await response.arrayBuffer()).byteLength > 100, link);
          return response.headers.get('content-type');
        }),
      );
      assert.ok(types.includes('image/png'), types.join());
      assert.is((await runner.end('SIGTERM')).code, 0);
    } finally {
      await pages.close();
    }
  }),
);

test.run();
