// Own process: a browser stays open for as long as the file runs.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeFiredAlert } from '../../api/alerts.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { goesDown } from './organization.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console; ids: Map<string, string> }>('the list of checks in the console');

const NAMES = ['alpha', 'beta', 'gamma', 'delta'];

test.before(async (context) => {
  const site = await openConsole();
  context.site = site;
  context.ids = new Map();
  for (const name of NAMES) {
    const tags = name === 'beta' ? ['eu'] : [];
    const body = { name, type: 'web', url: `http://127.0.0.1:9/${name}`, interval: 3_600, tags };
    const reply = await site.service.request('POST', '/v1/checks', { body });
    assert.is(reply.status, 201, reply.text);
    context.ids.set(name, (reply.json() as { id: string }).id);
  }
  await storeUser(site.service, 'ann', 'editor');
  await storeUser(site.service, 'vic', 'viewer');
});
test.after(({ site }) => site.stop());

const rowOf = (page: Page, name: string) => page.locator('tr[data-id]', { hasText: name });
const shownNames = (page: Page): Promise<string[]> => page.locator('tr[data-id] th a').allInnerTexts();

/** Opens a tab at a path for a signed-in user. */
const tabOf = async (site: Console, who: string, path: string, options = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

test('checks are filtered, selected and changed by keyboard, and a deletion is undone', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/checks');
  await eventually(async () => {
    assert.equal(await shownNames(page), ['alpha', 'beta', 'delta', 'gamma']);
    return true;
  });
  // The filter matches the target of a check, although rows do not show targets.
  await page.keyboard.press('/');
  await page.keyboard.type('9/gam');
  await eventually(async () => (await shownNames(page)).join() === 'gamma');
  await eventually(() => new URL(page.url()).searchParams.get('filter') === '9/gam');
  await page.getByRole('searchbox').fill('tag:eu');
  await eventually(async () => (await shownNames(page)).join() === 'beta');
  await page.getByRole('searchbox').fill('tag:us');
  await page.getByText('No check matches the filter.').waitFor();
  await page.getByRole('button', { name: 'Show all checks' }).click();
  await page.getByText('4 checks', { exact: true }).waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await eventually(() =>
    rowOf(page, 'beta')
      .locator('th a')
      .evaluate((one) => one === document.activeElement),
  );
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await page.getByText('2 checks selected').waitFor();
  await page.keyboard.press('p');
  await rowOf(page, 'delta').getByText('paused').first().waitFor();
  await page.getByText('Changed 2 checks.').waitFor();
  await page.getByRole('button', { name: 'Tags', exact: true }).click();
  await page.getByLabel('Tags').last().fill('team:web night');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await eventually(async () => (await rowOf(page, 'beta').innerText()).includes('eu night team:web'));
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Deleted 2 checks.').waitFor();
  await page.getByText('2 checks', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Restored 2 checks.').waitFor();
  await page.getByText('4 checks', { exact: true }).waitFor();

  await page.getByRole('checkbox', { name: 'Select all checks' }).click();
  await page.getByText('4 checks selected').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await eventually(async () => (await page.locator('td.message', { hasText: 'paused' }).count()) === 0);
  await page.locator('body').press('Escape');
  await eventually(async () => (await page.getByText('4 checks selected').count()) === 0);

  for (const key of ['k', 'k', 'k', 'k', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('heading', { name: 'alpha' }).waitFor();
  await page.getByText('GET http://127.0.0.1:9/alpha').waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the check list is updated continuously, but its order does not change under the pointer', async ({
  site,
  ids,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/checks');
  await rowOf(page, 'gamma').waitFor();
  await rowOf(page, 'alpha').hover();
  await goesDown(site, ids.get('gamma') ?? '');
  await page.getByRole('button', { name: 'Order has changed' }).waitFor();
  assert.is((await shownNames(page)).at(-1), 'gamma');
  await page.mouse.move(1, 1);
  await eventually(async () => (await shownNames(page))[0] === 'gamma');
  await page.getByRole('button', { name: '1 down' }).click();
  await eventually(async () => (await shownNames(page)).join() === 'gamma');
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the overview shows failing checks, allows users to acknowledge their alerts, and reports stale data', async ({
  site,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  const other = await visitor.open('/console');
  await page.getByRole('heading', { name: 'Failing checks' }).waitFor();
  await page.getByText('gamma', { exact: true }).waitFor();
  await other.getByRole('heading', { name: 'Failing checks' }).waitFor();
  await storeFiredAlert(site.service, site.service.first.id);
  await page.getByRole('button', { name: /^Acknowledge/ }).click();
  // Both tabs show the acknowledgement.
  await page.getByText('acknowledged: ann@example.com').waitFor();
  await other.getByText('acknowledged: ann@example.com').waitFor();
  assertNothingFailed(visitor);

  await visitor.context.route('**/v1/events', (route) => route.abort());
  await page.reload();
  await page.getByText(/^Reconnecting, last/).waitFor();
  await page.getByRole('heading', { name: 'Failing checks' }).waitFor();
  await visitor.context.unroute('**/v1/events');
  await eventually(async () => (await page.getByText(/^Reconnecting, last/).count()) === 0);
  await visitor.close();
});

test('the check list shows viewers no buttons that change checks', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'vic', '/console/checks');
  await rowOf(page, 'alpha').waitFor();
  assert.is(await page.getByRole('checkbox').count(), 0);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('p');
  await page.keyboard.press('Enter');
  await page.getByText('GET http://127.0.0.1:9/').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Open alerts' }).waitFor();
  assert.is(await page.getByRole('button', { name: /^Acknowledge/ }).count(), 0);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the check list renders only visible rows, and is accessible in every state', async ({ site }) => {
  const row = (index: number) => ({
    id: `c${index.toString().padStart(11, '0')}`,
    name: `check-${index.toString().padStart(5, '0')}`,
    type: 'web',
    tags: ['eu'],
    active: true,
    status: index === 0 ? 'down' : 'up',
    since: '2026-11-20T15:04:05.123000',
    error_message: index === 0 ? 'Answered 503, expected 200–299.' : null,
    response_time: 142,
    hours: Array.from({ length: 24 }, (_, hour) => hour * 10),
    failed_hours: [3],
    uptime_24h: 99.95,
    uptime_30d: 100,
  });
  const rows = Array.from({ length: 10_000 }, (_, index) => row(index));
  const looks = [
    { colorScheme: 'light' as const },
    { colorScheme: 'dark' as const },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  ];
  for (const look of looks) {
    const { visitor, page } = await tabOf(site, 'ann', '/console/nowhere', look);
    await page.route('**/v1/checks/overview?*', (route) => {
      const number = Number(new URL(route.request().url()).searchParams.get('page'));
      const checks = rows.slice((number - 1) * 5_000, number * 5_000);
      return route.fulfill({ json: { checks, pagination: { has_next: number < 2, total_items: rows.length } } });
    });
    await page.goto(`${site.address}/console/checks`);
    await page.getByText('10,000 checks').waitFor();
    await rowOf(page, 'check-00000').waitFor();
    const hold = async (): Promise<void> => {
      assert.equal(await violations(page), []);
      assert.not(await overflows(page));
      const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
      assert.ok(nodes <= 3_000, `${nodes} nodes`);
      assert.is(await page.locator('[style]').count(), 0);
    };
    await hold();
    await page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight);
    });
    await rowOf(page, 'check-09999').waitFor();
    await hold();
    await page.getByRole('checkbox', { name: 'Select: check-09999' }).click();
    await page.getByText('1 check selected').waitFor();
    await hold();
    await visitor.close();
  }
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
