// Own process: a browser stays open for as long as the file runs.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REGIONS } from '../../../domain/check/regions.ts';
import { storeFiredAlert } from '../../api/alerts.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { createCheck, goesDown, MOSCOW, storeDay, storeFacts, storeResults, WEST } from './check-results.ts';
import { HOSTILE, storeHostile } from './hostile-results.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console; shop: string; hostile: Map<string, [string, string]> }>('a check in the console');

test.before(async (context) => {
  const site = await openConsole({ regions: REGIONS.filter(({ id }) => id === MOSCOW || id === WEST) });
  const { service } = site;
  context.site = site;
  context.shop = await createCheck(service, {
    name: 'eu/shop',
    type: 'web',
    url: 'http://127.0.0.1:9/health',
    tags: ['eu'],
    interval: 300,
    parameters: { regions: [MOSCOW, WEST] },
  });
  await storeDay(service, context.shop, service.time.now);
  context.hostile = await storeHostile(service, service.time.now);
  await storeUser(service, 'ann', 'admin');
  await storeUser(service, 'vic', 'viewer');
});
test.after(({ site }) => site.stop());

/** Opens a tab at a path for a signed-in user. */
const tabOf = async (site: Console, who: string, path: string, options = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

/** Waits until the whole screen is rendered. */
const drawn = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: 'Regions' }).waitFor();
  await eventually(async () => (await page.locator('.skeleton').count()) === 0);
};

const query = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

test('the check screen shows current and past states, and each state has a URL', async ({ site, shop }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/checks');
  await page.getByRole('link', { name: 'eu/shop' }).click();
  await page.getByRole('heading', { name: 'eu/shop' }).waitFor();
  await page.getByText('GET http://127.0.0.1:9/health').waitFor();
  await page.getByText('every 5 min').waitFor();
  await page.getByText('1 outage, 30 min').waitFor();
  await page.getByRole('img', { name: /^Response times: .* on average/ }).waitFor();
  await page.locator('.uplot canvas').waitFor();
  await drawn(page);
  assert.equal(await page.getByRole('table', { name: 'Regions' }).locator('tbody th').allInnerTexts(), [WEST, MOSCOW]);
  await page.getByText('Response times as a table').click();
  const figures = page.getByRole('region', { name: 'Response times as a table' });
  // The table has a row for each run of the day. The two regions share a row.
  await eventually(async () => (await figures.locator('tbody tr').count()) > 200);
  await page.getByText('Outages as a table').click();
  assert.is(await page.getByRole('region', { name: 'Outages as a table' }).locator('tbody tr').count(), 1);

  await page.getByRole('link', { name: '7 days' }).click();
  await eventually(() => query(page, 'range') === '7d');
  await page.getByLabel('Region').first().selectOption('Compare regions');
  await page.locator('.legend', { hasText: WEST }).waitFor();
  await page.getByLabel('Only failures').click();
  const results = page.getByRole('table', { name: 'Results' });
  await eventually(async () => {
    const statuses = await results.locator('td.cell-status').allInnerTexts();
    return statuses.length > 0 && statuses.every((status) => status === 'down');
  });
  await page.getByLabel('Region').last().selectOption(WEST);
  await eventually(async () => {
    const regions = await results.locator('td.cell-region').allInnerTexts();
    return regions.length === 6 && regions.every((region) => region === WEST);
  });
  await page.reload();
  await page.getByRole('link', { name: '7 days', exact: true }).and(page.locator('[aria-current]')).waitFor();
  assert.ok(await page.getByLabel('Only failures').isChecked());
  await eventually(async () => (await results.locator('tbody tr').count()) === 6);
  await page.getByLabel('From').fill('2020-01-01T00:00');
  await page.getByLabel('Until').fill('2020-01-02T00:00');
  await page.getByText('No result matches the filter.').waitFor();
  await page.goto(`${site.address}/console/checks/${shop}?page=2`);
  await page.getByText(/^Page 2 of 29/).waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByText(/^Page 1 of 29/).waitFor();
  await results.getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Result' });
  await drawer.getByText('self-hosted').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await eventually(() => query(page, 'result') === null);
  assert.ok(
    await results
      .getByRole('link')
      .first()
      .evaluate((link) => link === document.activeElement),
  );
  assertNothingFailed(visitor);
  await visitor.close();
});

test('a check is run, paused, muted, deleted and restored, and its history names the users', async ({ site, shop }) => {
  const { service } = site;
  const { visitor, page } = await tabOf(site, 'ann', `/console/checks/${shop}`);
  await drawn(page);
  const queued = page.waitForResponse((answer) => answer.url().endsWith('/execute'));
  await page.keyboard.press('r');
  const { job_id } = (await (await queued).json()) as { job_id: string };
  await page.getByText('Waiting for a runner.').waitFor();
  await storeFacts(service, `job-${job_id}`, { type: 'JobStarted', data: { job_id, run_id: 'run' } });
  await page.getByText('The check is running.').waitFor();
  const fields = { result_type: 'on_demand' as const, response_time: 4_321 };
  const [result_id = ''] = await storeResults(service, shop, [[service.time.now, fields]]);
  const result = { result_id, region: MOSCOW, status: 'ok' as const, response_time: 4_321, error_message: null };
  await storeFacts(service, `job-${job_id}`, { type: 'JobCompleted', data: { job_id, result } });
  await page.getByRole('link', { name: 'Show the result' }).click();
  const drawer = page.getByRole('dialog', { name: 'Result' });
  await drawer.getByText('4.3 sec').waitFor();
  await drawer.getByText('on demand').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('table', { name: 'Results' }).getByText('4.3 sec').waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('The check is paused.').waitFor();
  await page.locator('.standing').getByText('paused').waitFor();
  await page.keyboard.press('p');
  await page.getByText('The check runs again.').waitFor();
  const menu = page.getByRole('button', { name: 'More' });
  await menu.click();
  assert.match((await page.getByRole('link', { name: 'Clone' }).getAttribute('href')) ?? '', `new?from=${shop}`);
  await page.getByRole('button', { name: 'Mute alerts for 4 hr' }).click();
  await page.getByText('alerts muted until').waitFor();
  await menu.click();
  await page.getByRole('button', { name: 'Unmute alerts' }).click();
  await eventually(async () => (await page.getByText('alerts muted until').count()) === 0);

  await storeFiredAlert(service, service.first.id, { check_id: shop, title: HOSTILE });
  const receiver = { name: HOSTILE, type: 'email', configuration: { recipients: ['ops@example.com'] } };
  const channel = (await service.request('POST', '/v1/alerts/channels', { body: receiver })).json() as { id: string };
  const rule = { name: HOSTILE, check_id: shop, condition: 'check_failed', channel_ids: [channel.id] };
  const made = await service.request('POST', '/v1/alerts/rules', { body: rule });
  assert.is(made.status, 201, made.text);
  await page.getByRole('link', { name: 'Alerts and rules' }).click();
  await page.getByRole('table', { name: 'Rules' }).getByText(HOSTILE).first().waitFor();
  await page.getByRole('table', { name: 'Alerts' }).getByRole('link').first().waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  const muting = page.locator('.history > li', { hasText: 'muted_until' });
  await muting.first().getByText('ann@example.com').waitFor();

  await menu.click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this check?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await menu.click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'The check was deleted.' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The check was restored.').waitFor();
  await page.getByRole('heading', { name: 'eu/shop' }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the check screen reports a check that has been deleted or never existed', async ({ site }) => {
  const { service } = site;
  const id = await createCheck(service, { name: 'short-lived', type: 'web', url: 'http://127.0.0.1:9/' });
  const { visitor, page } = await tabOf(site, 'ann', `/console/checks/${id}`);
  await page.getByText('There are no results yet.').waitFor();
  await page.getByText('No response time was measured in this period.').waitFor();
  await service.request('DELETE', `/v1/checks/${id}`);
  await page.getByRole('heading', { name: 'The check was deleted.' }).waitFor();
  assertNothingFailed(visitor);
  await page.reload();
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
  await page.getByRole('link', { name: 'Go to the checks' }).click();
  await page.getByRole('link', { name: 'eu/shop' }).waitFor();
  await visitor.close();
});

test('the check screen is updated when the check goes down and recovers', async ({ site }) => {
  const { service } = site;
  const id = await createCheck(service, { name: 'live', type: 'web', url: 'http://127.0.0.1:9/' });
  const { visitor, page } = await tabOf(site, 'ann', `/console/checks/${id}`);
  await page.getByText('There are no results yet.').waitFor();
  const error_message = 'The status was 503, expected 200–299.';
  await storeResults(service, id, [[service.time.now, { status: 'failed', reason: 'assertion', error_message }]]);
  await goesDown(service, id, service.time.now, error_message);
  await page.locator('.standing').getByText('down').waitFor();
  await page.locator('.check-head').getByText(error_message).waitFor();
  await page.getByRole('table', { name: 'Results' }).getByText(error_message).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the check screen shows viewers no buttons that change the check', async ({ site, shop }) => {
  const { visitor, page } = await tabOf(site, 'vic', `/console/checks/${shop}?tab=history`);
  await drawn(page);
  for (const name of ['Run now', 'Pause', 'More', 'New rule'])
    assert.is(await page.getByRole('button', { name }).count(), 0, name);
  for (const name of ['Edit', 'Clone', 'History', 'New rule'])
    assert.is(await page.getByRole('link', { name }).count(), 0, name);
  for (const key of ['r', 'p', 'e']) await page.keyboard.press(key);
  await page.getByRole('link', { name: 'Results' }).click();
  await page.getByRole('table', { name: 'Results' }).getByRole('link').first().click();
  await page.getByRole('dialog', { name: 'Result' }).getByText('self-hosted').waitFor();
  assert.is(new URL(page.url()).pathname, `/console/checks/${shop}`);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the check screen shows any content from targets and scripts as text', async ({ site, hostile }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  for (const [type, [check, result]] of hostile) {
    await page.goto(`${site.address}/console/checks/${check}?result=${result}`);
    const drawer = page.getByRole('dialog', { name: 'Result' });
    await drawer.getByText(HOSTILE).first().waitFor();
    const everything = drawer.getByText('Everything in this result');
    await everything.click();
    await drawer.locator('.value-tree').first().waitFor();
    for (const folded of await drawer.locator('details:not([open]) > summary').all()) await folded.click();
    if (type === 'synthetic') {
      const picture = drawer.getByRole('img', { name: 'cart.png' });
      await picture.scrollIntoViewIfNeeded();
      await eventually(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth === 1));
      // The stored video is invalid, and is therefore reported as not available.
      await drawer.getByText('run.webm: not available').waitFor();
    }
    const found = await page.evaluate(() => ({
      ran: 'xss' in window,
      scripts: document.querySelectorAll('main script, dialog script, main iframe, dialog iframe').length,
      handlers: document.querySelectorAll('[onerror], [onload]').length,
      pictures: [...document.querySelectorAll<HTMLElement>('main img, main video')].map(
        (one) => new URL(one.getAttribute('src') ?? '', location.href).origin === location.origin,
      ),
      links: [...document.querySelectorAll('main a')].filter((link) => {
        const { protocol } = link as HTMLAnchorElement;
        return protocol !== 'http:' && protocol !== 'https:';
      }).length,
    }));
    const pictures = type === 'synthetic' ? [true] : [];
    assert.equal(found, { ran: false, scripts: 0, handlers: 0, pictures, links: 0 }, type);
  }
  assertNothingFailed(visitor);
  await visitor.close();
});

const LOOKS = {
  light: { colorScheme: 'light' as const },
  dark: { colorScheme: 'dark' as const },
  'on a phone': { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

for (const [look, options] of Object.entries(LOOKS))
  test(`the check screen is accessible in every state (${look})`, async ({ site, shop, hostile }) => {
    const { visitor, page } = await tabOf(site, 'ann', `/console/checks/${shop}?range=7d`, options);
    const found: string[] = [];
    const hold = async (title: string): Promise<void> => {
      found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      if (await overflows(page)) found.push(`${title}: it can be scrolled sideways`);
    };
    await drawn(page);
    await page.locator('.uplot canvas').waitFor();
    await page.getByText('Response times as a table').click();
    await page.getByText('Outages as a table').click();
    await hold('figures');
    await page.getByRole('button', { name: 'More' }).click();
    await hold('the menu');
    await page.keyboard.press('Escape');
    for (const name of ['Alerts and rules', 'History']) {
      await page.getByRole('link', { name }).click();
      await eventually(async () => (await page.locator('.skeleton').count()) === 0);
      await hold(name);
    }
    for (const [type, [check, result]] of hostile) {
      await page.goto(`${site.address}/console/checks/${check}?result=${result}`);
      await page.getByText('Everything in this result').click();
      await hold(type);
    }
    await visitor.close();
    assert.equal(found, []);
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
