// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console }>('groups, tags and reports in the console');

const HOSTILE = '<img src=x onerror="document.title=1">';

test.before(async (context) => {
  context.site = await openConsole();
  await storeUser(context.site.service, 'ann', 'editor');
  await storeUser(context.site.service, 'vic', 'viewer');
});
test.after(({ site }) => site.stop());

const tabOf = async (site: Console, who: string, path: string, options: BrowserContextOptions = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

const create = async ({ service }: Console, path: string, body: object): Promise<string> => {
  const reply = await service.request('POST', path, { body });
  assert.is(reply.status, 201, reply.text);
  return (reply.json() as { id: string }).id;
};

const checkIn = (site: Console, name: string, fields: object): Promise<string> =>
  create(site, '/v1/checks', { name, type: 'web', url: 'http://127.0.0.1:9/', interval: 3_600, ...fields });

const shownNames = (page: Page): Promise<string[]> => page.locator('.group-list .title a').allInnerTexts();

const storedNames = async ({ service }: Console): Promise<string[]> => {
  const reply = await service.request('GET', '/v1/check-groups?page_size=100');
  return (reply.json() as { groups: { name: string }[] }).groups.map(({ name }) => name);
};

test('groups are created, edited, deleted, and moved by keyboard and by dragging', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/groups');
  await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
  for (const name of ['Alpha', HOSTILE, 'Gamma']) {
    await page.getByRole('link', { name: 'New group' }).first().click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('radio', { name: '#16935A' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name }).waitFor();
  }
  assert.is(await page.locator('main img').count(), 0);

  await page.getByRole('button', { name: 'Move up: Gamma' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByText('Gamma: position 1 of 3').waitFor();
  assert.equal(await shownNames(page), ['Gamma', 'Alpha', HOSTILE]);
  await eventually(async () => (await storedNames(site)).join() === ['Gamma', 'Alpha', HOSTILE].join());
  const lines = page.locator('.group-list > li');
  await lines.nth(0).dragTo(lines.nth(2));
  await eventually(async () => (await storedNames(site)).join() === ['Alpha', HOSTILE, 'Gamma'].join());
  await page.reload();
  await eventually(async () => (await shownNames(page)).join() === ['Alpha', HOSTILE, 'Gamma'].join());

  await page.getByRole('link', { name: 'Alpha' }).click();
  const group_id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByLabel('Color code').fill('green');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must be a color such as #1A7F37.').waitFor();
  await page.getByLabel('Color code').fill('#123abc');
  visitor.complaints.length = 0;
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Alpha' }).waitFor();
  // The number of checks in the group is updated while the list is shown.
  await checkIn(site, 'in-alpha', { group_id });
  await checkIn(site, 'elsewhere', {});
  await page.getByRole('link', { name: '1 check', exact: true }).click();
  await page.getByRole('link', { name: 'in-alpha' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'elsewhere' }).count(), 0);
  await page.goto(`${site.address}/console/groups/${group_id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('1 check will be without a group', { exact: false }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await eventually(async () => (await shownNames(page)).join() === [HOSTILE, 'Gamma'].join());
  assertNothingFailed(visitor);
  await visitor.close();
});

test('tags are counted, link to the objects that have them, and are renamed and removed in all these objects', async ({
  site,
}) => {
  await checkIn(site, 'one', { tags: ['eu', 'web'] });
  await checkIn(site, 'two', { tags: ['eu'] });
  await create(site, '/v1/heartbeats', { name: 'nightly', period_seconds: 60, tags: ['eu'] });
  const { visitor, page } = await tabOf(site, 'ann', '/console/tags');
  const row = (tag: string) => page.locator('tbody tr', { has: page.locator('th', { hasText: tag }) });
  await row('eu').getByRole('link', { name: '2', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Actions: eu' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('New name').fill('Europe');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByText('Lower-case letters, digits and . _ : - only, 50 at most.').waitFor();
  await page.getByLabel('New name').fill('europe');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await row('europe').getByRole('link', { name: '2', exact: true }).waitFor();
  await eventually(async () => (await row('eu').count()) === 1);
  const found = await site.service.request('GET', '/v1/heartbeats?tag=europe');
  assert.is((found.json() as { checks: object[] }).checks.length, 1);
  await page.getByRole('button', { name: 'Actions: web' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await eventually(async () => (await row('web').count()) === 0);
  await row('europe').getByRole('link', { name: '1', exact: true }).click();
  await page.getByText('nightly').waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('viewers see groups and tags without buttons', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'vic', '/console/groups');
  await page.getByRole('link', { name: 'Gamma' }).waitFor();
  assert.equal(await page.locator('main').getByRole('button').allInnerTexts(), ['As it was']);
  assert.is(await page.getByRole('link', { name: 'New group' }).count(), 0);
  await page.getByRole('link', { name: 'Gamma' }).click();
  await page.getByRole('heading', { name: 'Gamma' }).waitFor();
  assert.equal(await page.locator('main').getByRole('button').allInnerTexts(), ['As it was']);
  await page.goto(`${site.address}/console/tags`);
  await page.getByText('europe').waitFor();
  assert.is(await page.locator('main').getByRole('button').count(), 0);
  await page.goto(`${site.address}/console/reports`);
  await page.getByRole('heading', { name: 'No reports yet' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'New report' }).count(), 0);
  assertNothingFailed(visitor);
  await visitor.close();
});

/** Makes the service respond with a completed report about a check with hostile texts. */
const withReport = async (page: Page): Promise<void> => {
  const report = {
    id: 'report000001',
    name: HOSTILE,
    report_type: 'uptime',
    format: 'json',
    check_ids: [],
    tag: 'eu',
    page_id: null,
    schedule: 'monthly',
    time_zone: 'Europe/Berlin',
    target_percentage: 99.9,
    recipients: ['a***@example.com'],
    period_start: '2026-10-31T23:00:00.000000',
    period_end: '2026-11-20T22:59:59.999000',
    status: 'completed',
    error_message: null,
    summary: {
      ...{ checks: 2, components: 0, incidents: 0, outages: 1, downtime: 720, uptime_percentage: 99.512 },
      ...{ average_response_time: 142, p50: 120, p95: 310, p99: 900, target_percentage: 99.9, below_target: 1 },
    },
    // The link is based on PUBLIC_URL, which here has a path.
    download_url: 'https://status.example.com/monitoring/v1/artifacts/file?token=t',
    scheduled_by: null,
    next_run_at: '2026-11-30T23:00:00.000000',
    created_by: null,
    created_at: '2026-11-21T10:00:00.000000',
    completed_at: '2026-11-21T10:00:01.000000',
  };
  const days = Array.from({ length: 20 }, (_, index) => ({
    day: `2026-11-${(index + 1).toString().padStart(2, '0')}`,
    uptime_percentage: index === 3 ? null : index === 7 ? 92 : 100,
    average_response_time: 100 + index,
  }));
  const check = { id: 'c', name: HOSTILE, uptime_percentage: 99.5, average_response_time: 1, p95: 2, outages: 1 };
  const outage = { check_id: 'c', check_name: HOSTILE, started_at: '2026-11-08T10:00:00.000000', duration: 720 };
  const file = { days, checks: [{ ...check, downtime: 720 }], outages: [{ ...outage, cause: `${HOSTILE} 503` }] };
  const pagination = { page: 1, page_size: 50, total: 1 };
  await page.route('**/v1/reports?*', (route) => route.fulfill({ json: { reports: [report], pagination } }));
  await page.route('**/v1/reports/report000001', (route) => route.fulfill({ json: report }));
  await page.route('**/v1/artifacts/file?token=t', (route) => route.fulfill({ json: file }));
};

test('reports are requested, queued, and shown with charts', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/reports');
  await page.getByRole('heading', { name: 'No reports yet' }).waitFor();
  await page.getByRole('link', { name: 'New report' }).first().click();
  await page.getByLabel('Name').fill('Uptime of eu');
  await page.getByLabel('Scope').selectOption('checks');
  await page.getByRole('searchbox', { name: 'Find checks' }).fill('two');
  await page.getByRole('button', { name: 'Add: two' }).click();
  await page.getByLabel('Recipients').fill('nobody,');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Must be an e-mail address.').waitFor();
  await page.getByRole('button', { name: 'Remove: nobody' }).click();
  await page.getByLabel('Repeated').selectOption('monthly');
  visitor.complaints.length = 0;
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('The report is being created.', { exact: false }).waitFor();
  await page.getByText('every month', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Its schedule ends.', { exact: false }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No reports yet' }).waitFor();

  await withReport(page);
  await page.goto(`${site.address}/console/reports`);
  await page.getByRole('link', { name: HOSTILE, exact: true }).click();
  await page.getByRole('img', { name: /^Uptime by day/ }).waitFor();
  await page.getByText(`${HOSTILE} 503`).waitFor();
  assert.is(await page.locator('main img').count(), 0);
  assert.is(await page.locator('.day-chart').first().locator('rect.state-major').count(), 1);
  const saved = await page.getByRole('link', { name: /^Download JSON/ }).getAttribute('href');
  assert.is(saved, `${site.address}/v1/artifacts/file?token=t`);
  assertNothingFailed(visitor);
  await visitor.close();
});

const LOOKS: readonly BrowserContextOptions[] = [
  { colorScheme: 'light' },
  { colorScheme: 'dark' },
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
];

test('groups, tags and reports are accessible in every state', async ({ site }) => {
  const color = '#B38200';
  const long = await create(site, '/v1/check-groups', { name: 'n'.repeat(100), description: 'd'.repeat(500), color });
  await create(site, '/v1/check-groups', { name: 'ש'.repeat(40), active: false });
  await checkIn(site, 'tagged', { tags: ['t'.repeat(50)], group_id: long });
  for (const look of LOOKS) {
    const { visitor, page } = await tabOf(site, 'ann', '/console/groups', look);
    const hold = async (path: string, shown: string): Promise<void> => {
      await page.goto(`${site.address}/console${path}`);
      await page.getByText(shown).first().waitFor();
      assert.equal(await violations(page), [], path);
      assert.not(await overflows(page), path);
    };
    await hold('/groups', 'Checks without a group');
    await hold(`/groups/${long}`, 'Color code');
    await hold('/groups/nothing', 'This does not exist');
    await hold('/tags', 't'.repeat(50));
    await page
      .getByRole('button', { name: /^Actions/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('New name').waitFor();
    assert.equal(await violations(page), [], 'renaming');
    await hold('/reports/new?tag=eu', 'What it covers');
    await hold('/reports/nothing', 'This does not exist');
    await withReport(page);
    await hold('/reports', 'every month');
    await hold('/reports/report000001', 'Uptime by day');
    await page.locator('summary').first().click();
    assert.equal(await violations(page), [], 'figures by day');
    assert.not(await overflows(page), 'figures by day');
    await visitor.close();
  }
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
