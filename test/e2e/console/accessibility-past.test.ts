// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOUR_MS, instantOf } from '../../../domain/time.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { noBrowser } from '../browser.ts';
import { fillOrganization, type Organization } from './organization.ts';
import { openConsole, overflows, settling, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console; ids: Organization; now: number }>(
  'past states in the console conform to WCAG 2.2 AA as far as axe can detect',
);

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  'on a dark phone': { colorScheme: 'dark', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

test.before(async (context) => {
  const now = Date.now();
  const site = await openConsole({ now: now - 48 * HOUR_MS });
  context.site = site;
  context.now = now;
  await storeUser(site.service, 'ann', 'admin');
  context.ids = await fillOrganization(site, (what) => `متجر ${what} ${'x'.repeat(40)}`);
  site.service.time.now = now - 30 * HOUR_MS;
  await site.service.request('PATCH', `/v1/checks/${context.ids.check}`, { body: { name: 'Renamed' } });
  site.service.time.now = now;
});
test.after(({ site }) => site.stop());

for (const [look, options] of Object.entries(LOOKS))
  test(`past states in the console are accessible (${look})`, async ({ site, ids, now }) => {
    const visitor = await site.visit(options);
    const page = await visitor.open('/console/profile');
    const settled = settling(page);
    await signInAt(page, 'ann@example.com');
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    const at = (hours: number): string => `?at=${instantOf(now - hours * HOUR_MS).slice(0, 19)}`;
    for (const path of [
      `/checks/${ids.check}${at(40)}`,
      `/checks/${ids.check}${at(60)}`,
      `/checks/${ids.check}?at=yesterday`,
      `/groups/${ids.group}${at(40)}`,
      `/heartbeats/${ids.heartbeat}${at(40)}`,
      `/alerts/rules/${ids.rule}${at(40)}`,
      `/pages/${ids.page}${at(40)}`,
      `/pages/${ids.page}/appearance${at(40)}`,
      `/pages/${ids.page}/subscribers${at(40)}`,
      `/pages/${ids.page}/incidents/${ids.incident}${at(40)}`,
      `/people${at(40)}`,
    ]) {
      await page.goto(`${site.address}/console${path}`);
      await page.getByRole('region', { name: 'As it was' }).waitFor();
      await settled();
      assert.equal(await violations(page), [], path);
      assert.not(await overflows(page), path);
    }
    await page.goto(`${site.address}/console/checks/${ids.check}`);
    await page.getByRole('button', { name: 'As it was' }).click();
    await page.getByRole('slider').waitFor();
    assert.equal(await violations(page), []);
    assert.not(await overflows(page));
    await visitor.close();
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
