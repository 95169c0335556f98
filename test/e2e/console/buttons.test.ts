// Own process: a browser stays open for as long as the file runs.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { noBrowser } from '../browser.ts';
import { fillOrganization, screensOf } from './organization.ts';
import { openConsole, settling, signInAt, type Console } from './visits.ts';

const test = suite<{ site: Console; paths: readonly string[] }>('the buttons of every screen');

test.before(async (context) => {
  context.site = await openConsole();
  context.paths = screensOf(await fillOrganization(context.site, (what) => `The ${what}`));
});
test.after(({ site }) => site.stop());

/** Records the requests that the service rejects because of the user's role. */
const refusals = (page: Page): string[] => {
  const found: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() !== 403) return;
    found.push(`${answer.request().method()} ${new URL(answer.url()).pathname}`);
  });
  return found;
};

/** Clicks each enabled button of the screen, one after the other, and presses Escape to close any dialog that opens. */
const pressAll = async (page: Page, address: string, settle: () => Promise<void>): Promise<void> => {
  const buttons = page.locator('main button:visible:not([disabled])');
  for (let index = 0; index < (await buttons.count()) && index < 40; index++) {
    await buttons
      .nth(index)
      .click({ timeout: 1_000 })
      .catch(() => undefined);
    await page.keyboard.press('Escape');
    if (page.url() !== address) await page.goto(address);
  }
  await settle();
};

for (const role of ['viewer', 'billing'] as const)
  test(`no button causes a request that the role ${role} may not send`, async ({ site, paths }) => {
    await storeUser(site.service, role, role);
    const visitor = await site.visit();
    const page = await visitor.open('/console');
    await signInAt(page, `${role}@example.com`);
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    const refused = refusals(page);
    const settle = settling(page);
    for (const path of paths) {
      const address = `${site.address}/console${path}`;
      await page.goto(address);
      await page.locator('main h1').first().waitFor();
      await settle();
      if (path !== '/wall') await pressAll(page, address, settle);
      assert.equal(refused, [], path);
    }
    await visitor.close();
  });

for (const role of ['editor', 'admin'] as const)
  test(`no screen causes a request that the role ${role} may not send`, async ({ site, paths }) => {
    await storeUser(site.service, role, role);
    const visitor = await site.visit();
    const page = await visitor.open('/console');
    await signInAt(page, `${role}@example.com`);
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    const refused = refusals(page);
    const settle = settling(page);
    for (const path of paths) {
      await page.goto(`${site.address}/console${path}`);
      await page.locator('main h1').first().waitFor();
      await settle();
      assert.equal(refused, [], path);
    }
    await visitor.close();
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
