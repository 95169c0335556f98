// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOUR_MS, instantOf } from '../../../domain/time.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { fillOrganization, type Organization } from './organization.ts';
import { assertNothingFailed, openConsole, signInAt, type Console } from './visits.ts';

interface Context {
  site: Console;
  ids: Organization;
  /** a heartbeat that was pinged before `renamed`, and expected its next ping later */
  pinged: string;
  /** a moment before the first event (`none`), and a moment after each change of the check */
  moments: { none: number; created: number; renamed: number };
}

const test = suite<Context>('past states in the console');

test.before(async (context) => {
  const now = Date.now();
  const site = await openConsole({ now: now - 48 * HOUR_MS });
  context.site = site;
  const { service } = site;
  await storeUser(service, 'ann', 'admin');
  await storeUser(service, 'vic', 'viewer');
  service.time.now = now - 40 * HOUR_MS;
  const ids = await fillOrganization(site, (what) => `First ${what}`);
  context.ids = ids;
  const change = async (path: string, body: object): Promise<void> => {
    const reply = await service.request('PATCH', path, { body });
    assert.is(reply.status, 200, reply.text);
  };
  service.time.now = now - 30 * HOUR_MS;
  await change(`/v1/checks/${ids.check}`, { name: 'Second check', tags: ['us'] });
  await change(`/v1/check-groups/${ids.group}`, { name: 'Second group' });
  await change(`/v1/heartbeats/${ids.heartbeat}`, { name: 'Second heartbeat' });
  await change(`/v1/alerts/rules/${ids.rule}`, { name: 'Second rule' });
  await change(`/v1/alerts/channels/${ids.channel}`, { name: 'Second channel' });
  await change(`/v1/pages/${ids.page}`, { name: 'Second page', headline: 'Second headline' });
  await change(`/v1/pages/${ids.page}/components/${ids.component}`, { name: 'Second component' });
  await change(`/v1/pages/${ids.page}/incidents/${ids.incident}`, { name: 'Second incident' });
  await change(`/v1/pages/${ids.page}/incidents/${ids.maintenance}`, { name: 'Second maintenance' });
  await storeUser(service, 'new', 'editor');
  service.time.now = now - 26 * HOUR_MS;
  const made = await service.request('POST', '/v1/heartbeats', {
    body: { name: 'Pinged heartbeat', period_seconds: 86_400 },
  });
  context.pinged = (made.json() as { id: string }).id;
  assert.is((await service.request('POST', `/v1/heartbeats/${context.pinged}/ping`)).status, 200);
  service.time.now = now - 20 * HOUR_MS;
  await change(`/v1/checks/${ids.check}`, { name: 'Third check' });
  service.time.now = now;
  context.moments = { none: now - 50 * HOUR_MS, created: now - 35 * HOUR_MS, renamed: now - 25 * HOUR_MS };
});
test.after(({ site }) => site.stop());

const atOf = (moment: number): string => instantOf(moment).slice(0, 19);

/** Opens a tab at a path, and records the requests to the API after the sign-in. */
const tabOf = async (site: Console, path: string, who = 'ann', options: BrowserContextOptions = {}) => {
  const visitor = await site.visit({ timezoneId: 'Europe/Berlin', ...options });
  const page = await visitor.open(`/console${path}`);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/v1/')) requests.push(`${request.method()} ${pathname}${search}`);
  });
  return { visitor, page, requests };
};

const bar = (page: Page) => page.getByRole('region', { name: 'As it was' });
const banner = (page: Page) => bar(page).getByText(/^You see the state as of/);
const headed = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();

test('every screen of a resource shows its state at the moment in the URL, without any action', async ({
  site,
  ids,
  moments,
}) => {
  const { visitor, page, requests } = await tabOf(site, '/profile');
  const inside = `/pages/${ids.page}`;
  const screens: readonly (readonly [path: string, then: string, now: string])[] = [
    [`/checks/${ids.check}`, 'First check', 'Third check'],
    [`/groups/${ids.group}`, 'First group', 'Second group'],
    [`/heartbeats/${ids.heartbeat}`, 'First heartbeat', 'Second heartbeat'],
    [`/alerts/rules/${ids.rule}`, 'First rule', 'Second rule'],
    [`/alerts/channels/${ids.channel}`, 'First channel', 'Second channel'],
    [`/alerts/${ids.alert}`, 'First alert', 'First alert'],
    [`/reports/${ids.report}`, 'First report', 'First report'],
    ['/alerts/rules', 'Alerts', 'Alerts'],
    ['/alerts/channels', 'Alerts', 'Alerts'],
    ['/groups', 'Groups', 'Groups'],
    [inside, 'First page', 'Second page'],
    [`${inside}/appearance`, 'First page', 'Second page'],
    [`${inside}/subscribers`, 'First page', 'Second page'],
    [`${inside}/incidents/${ids.incident}`, 'First incident', 'Second incident'],
    [`${inside}/incidents/${ids.maintenance}`, 'First maintenance', 'Second maintenance'],
  ];
  for (const [path, then, now] of screens) {
    await page.goto(`${site.address}/console${path}`);
    await headed(page, now);
    // Leave the present screen, which might still send a request, such as that for a preview.
    await page.goto('about:blank');
    requests.length = 0;
    await page.goto(`${site.address}/console${path}?at=${atOf(moments.created)}`);
    await headed(page, then);
    await banner(page).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(
      requests.filter((request) => !request.startsWith('GET ') && !request.includes('/v1/session/')),
      [],
      path,
    );
    assert.equal(
      requests.filter((request) => request.includes('/v1/events')),
      [],
      path,
    );
    for (const name of ['Save', 'Delete', 'Edit', 'Run now', 'Pause', 'New incident', 'Publish', 'Add', 'Import'])
      assert.is(await page.locator('main').getByRole('button', { name, exact: true }).count(), 0, `${path}: ${name}`);
    assert.is(
      await page
        .locator('main')
        .getByRole('button', { name: /^(?:Actions|Acknowledge|Move)/ })
        .count(),
      0,
      path,
    );
    assert.is(
      await page
        .locator('main')
        .getByRole('link', { name: /^(?:Edit|New) ?/ })
        .count(),
      0,
      path,
    );
  }
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the slider, its buttons and the field choose a moment, and the browser goes back', async ({ site, ids }) => {
  const { visitor, page } = await tabOf(site, `/checks/${ids.check}`);
  await headed(page, 'Third check');
  await page.getByRole('button', { name: 'As it was' }).click();
  await bar(page).getByLabel('Moment').waitFor();
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement).name === 'at');
  const slider = bar(page).getByRole('slider', { name: 'Change' });
  assert.is(await slider.getAttribute('aria-valuetext'), 'Now');

  // The present state began with the newest change, so this button leads to a past moment that shows the same name.
  await bar(page).getByRole('button', { name: 'Previous change' }).click();
  await banner(page).waitFor();
  await headed(page, 'Third check');
  await bar(page).getByRole('button', { name: 'Previous change' }).press('Enter');
  await headed(page, 'Second check');
  const second = page.url();
  await slider.press('ArrowLeft');
  await eventually(async () => page.url() !== second);
  await page.getByRole('heading', { level: 1, name: 'First check' }).waitFor();
  await page.goBack();
  await headed(page, 'Second check');
  assert.is(page.url(), second);
  await page.reload();
  await headed(page, 'Second check');

  // Links to other tabs of the screen preserve the moment. Links to other screens lead to the present state.
  await page.getByRole('link', { name: 'Alerts and rules' }).click();
  await page.getByRole('link', { name: 'Second rule' }).waitFor();
  assert.ok(page.url().includes('at='));
  assert.not((await page.getByRole('link', { name: 'Second rule' }).getAttribute('href'))?.includes('at='));

  await bar(page).getByRole('link', { name: 'Back to now' }).click();
  await headed(page, 'Third check');
  assert.not(page.url().includes('at='));
  await bar(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('a change that is made while a past state is shown appears after the return to the present state', async ({
  site,
  ids,
  moments,
}) => {
  const { visitor, page, requests } = await tabOf(site, `/groups/${ids.group}?at=${atOf(moments.created)}`);
  await headed(page, 'First group');
  requests.length = 0;
  const path = `/v1/check-groups/${ids.group}`;
  assert.is((await site.service.request('PATCH', path, { body: { description: 'Changed now' } })).status, 200);
  assert.is(await page.getByText('Changed now').count(), 0);
  await bar(page).getByRole('link', { name: 'Back to now' }).click();
  await page.getByLabel('Description').waitFor();
  await eventually(async () => (await page.getByLabel('Description').inputValue()) === 'Changed now');
  await eventually(async () => requests.some((request) => request.includes('/v1/events')));
  assertNothingFailed(visitor);
  await visitor.close();
});

test('a moment that cannot be loaded is not shown with the state of another moment', async ({ site, ids, moments }) => {
  for (const [path, first] of [
    [`/heartbeats/${ids.heartbeat}`, 'First heartbeat'],
    [`/groups/${ids.group}`, 'First group'],
  ] as const) {
    const { visitor, page } = await tabOf(site, `${path}?at=${atOf(moments.created)}`);
    await headed(page, first);
    const next = bar(page).getByRole('button', { name: 'Next change' });
    await next.waitFor();
    await page.route(/[?&]at=/, (route) => route.fulfill({ status: 503, json: { message: 'Busy.', errors: {} } }));
    await next.click();
    await page.locator('main').getByRole('button', { name: 'Try again' }).first().waitFor();
    assert.is(await page.getByText(first).count(), 0);
    await page.unrouteAll();
    await page.locator('main').getByRole('button', { name: 'Try again' }).first().click();
    await headed(page, first.replace('First', 'Second'));
    await visitor.close();
  }
});

test('a past state of a heartbeat is not requested again', async ({ site, pinged, moments }) => {
  const { visitor, page, requests } = await tabOf(site, '/profile');
  await page.clock.install();
  await page.goto(`${site.address}/console/heartbeats/${pinged}?at=${atOf(moments.renamed)}`);
  await headed(page, 'Pinged heartbeat');
  await page.getByText('up', { exact: true }).first().waitFor();
  await page.waitForLoadState('networkidle');
  requests.length = 0;
  for (let minute = 0; minute < 3; minute++) await page.clock.fastForward(60_000);
  await page.waitForLoadState('networkidle');
  assert.equal(
    requests.filter((request) => request.includes('/heartbeats/')),
    [],
  );
  await visitor.close();
});

test('the screen of a moment before the creation of a resource says so, and links to its first state', async ({
  site,
  ids,
  moments,
}) => {
  const { visitor, page } = await tabOf(site, `/checks/${ids.check}?at=${atOf(moments.none)}`);
  await page.getByRole('heading', { name: 'Not there yet' }).waitFor();
  await page.getByText(/^It did not exist at this moment\. Its first change was /).waitFor();
  await page.getByRole('link', { name: 'Show its first state' }).click();
  await headed(page, 'First check');
  await page.getByRole('heading', { name: 'Not there yet' }).waitFor({ state: 'detached' });
  await visitor.close();
});

test('an empty moment, or a moment in the future, is reported as an error next to the field', async ({ site, ids }) => {
  const { visitor, page } = await tabOf(site, `/checks/${ids.check}`);
  await page.getByRole('button', { name: 'As it was' }).click();
  const field = bar(page).getByLabel('Moment');
  await field.fill('2199-01-01T00:00:00');
  await bar(page).getByRole('button', { name: 'Show' }).click();
  await bar(page).getByText('This moment is in the future.').waitFor();
  assert.is(await field.getAttribute('aria-invalid'), 'true');
  await headed(page, 'Third check');
  assert.not(page.url().includes('at='));

  // A moment in the URL is not validated by the field, but by the service.
  await page.goto(`${site.address}/console/checks/${ids.check}?at=2199-01-01T00:00:00`);
  await headed(page, 'This moment is in the future.');
  await page.goto(`${site.address}/console/checks/${ids.check}?at=yesterday`);
  await headed(page, 'This is not a moment.');
  assert.is(await bar(page).getByLabel('Moment').getAttribute('aria-invalid'), 'true');
  await bar(page).getByRole('link', { name: 'Back to now' }).click();
  await headed(page, 'Third check');
  await visitor.close();
});

test('values that the log does not contain are shown as not known', async ({ site, ids, moments }) => {
  const at = atOf(moments.created);
  const { visitor, page } = await tabOf(site, `/heartbeats/${ids.heartbeat}?at=${at}`);
  await headed(page, 'First heartbeat');
  assert.ok((await page.getByText('not known').count()) >= 1);
  assert.is(await page.getByText('undefined').count(), 0);
  assert.is(await page.getByText('null', { exact: true }).count(), 0);
  await page.goto(`${site.address}/console/alerts/channels/${ids.channel}?at=${at}`);
  await headed(page, 'First channel');
  await page.getByText('not known').waitFor();
  await visitor.close();
});

test('the list of people has past states, also for a viewer, whose slider has no changes', async ({
  site,
  moments,
}) => {
  const { visitor, page } = await tabOf(site, `/people?at=${atOf(moments.created)}`);
  await page.getByText('vic@example.com').waitFor();
  assert.is(await page.getByText('new@example.com').count(), 0);
  await bar(page).getByRole('slider', { name: 'Change' }).waitFor();
  await bar(page).getByRole('button', { name: 'Next change' }).click();
  await page.getByText('new@example.com').waitFor();
  await visitor.close();
  const viewer = await tabOf(site, `/people?at=${atOf(moments.created)}`, 'vic');
  await viewer.page.getByText('ann@example.com').waitFor();
  assert.is(await viewer.page.getByText('new@example.com').count(), 0);
  assert.is(await bar(viewer.page).getByRole('slider').count(), 0);
  assertNothingFailed(viewer.visitor);
  await viewer.visitor.close();
});

test('each entry of a history links to the state of the resource at the time of the entry', async ({ site, ids }) => {
  const { visitor, page } = await tabOf(site, `/checks/${ids.check}?tab=history`);
  await page.locator('.history > li').first().waitFor();
  const entry = page.locator('.history > li', { hasText: 'Second check' }).last();
  await entry.getByRole('link', { name: /As it was$/ }).click();
  await headed(page, 'Second check');
  await page.goto(`${site.address}/console/audit?type=check_group`);
  await page
    .locator('.entries > li', { hasText: 'Second group' })
    .getByRole('link', { name: /As it was$/ })
    .last()
    .click();
  await headed(page, 'Second group');
  await banner(page).waitFor();
  await visitor.close();
});

test('a deleted resource shows its past states', async ({ site }) => {
  const { service } = site;
  for (const [path, screen] of [
    ['check-groups', 'groups'],
    ['pages', 'pages'],
  ] as const) {
    const made = await service.request('POST', `/v1/${path}`, { body: { name: `Deleted of ${path}` } });
    const { id } = made.json() as { id: string };
    service.time.now += 1_000;
    assert.is((await service.request('DELETE', `/v1/${path}/${id}`)).status, 204);
    const { visitor, page } = await tabOf(site, `/${screen}/${id}`);
    await headed(page, 'This does not exist');
    await page.getByRole('button', { name: 'As it was' }).click();
    await bar(page).getByRole('button', { name: 'Previous change' }).click();
    await banner(page).waitFor();
    await headed(page, 'This does not exist');
    await bar(page).getByRole('button', { name: 'Previous change' }).click();
    await headed(page, `Deleted of ${path}`);
    await visitor.close();
  }
});

test('a check that is deleted while its screen is open shows its past states', async ({ site }) => {
  const { service } = site;
  const body = { name: 'Deleted check', type: 'web', url: 'http://127.0.0.1:9/deleted', interval: 3_600 };
  const { id } = (await service.request('POST', '/v1/checks', { body })).json() as { id: string };
  const { visitor, page } = await tabOf(site, `/checks/${id}`);
  await headed(page, 'Deleted check');
  service.time.now += 1_000;
  assert.ok((await service.request('DELETE', `/v1/checks/${id}`)).status < 300);
  await headed(page, 'The check was deleted.');
  await page.getByRole('button', { name: 'As it was' }).click();
  await bar(page).getByRole('button', { name: 'Previous change' }).click();
  await banner(page).waitFor();
  await visitor.close();
});

test('the slider contains changes that were made after it was opened', async ({ site, ids }) => {
  const { visitor, page } = await tabOf(site, `/groups/${ids.group}`);
  await page.getByRole('button', { name: 'As it was' }).click();
  const slider = bar(page).getByRole('slider', { name: 'Change' });
  const last = Number(await slider.getAttribute('max'));
  const path = `/v1/check-groups/${ids.group}`;
  site.service.time.now += 1_000;
  assert.is((await site.service.request('PATCH', path, { body: { description: 'Changed again' } })).status, 200);
  await bar(page).getByRole('button', { name: 'Previous change' }).click();
  await banner(page).waitFor();
  await eventually(async () => Number(await slider.getAttribute('max')) === last + 1);
  await visitor.close();
});

test('a control for past states that cannot be loaded says so, and is loaded on request', async ({ site, ids }) => {
  const { visitor, page } = await tabOf(site, `/groups/${ids.group}`);
  const chunk = /\/past-bar-[^/]*\.js$/;
  await page.route(chunk, (route) => route.abort());
  await page.getByRole('button', { name: 'As it was' }).click();
  const again = page.locator('main').getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute(chunk);
  await again.click();
  await bar(page).waitFor();
  await visitor.close();
});

test('the console asks for confirmation if opening a past state would lose unsaved input', async ({ site, ids }) => {
  const { visitor, page } = await tabOf(site, `/alerts/rules/${ids.rule}`);
  await page.getByLabel('Name').fill('Unsaved');
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.getByRole('button', { name: 'As it was' }).click();
  await bar(page).getByRole('button', { name: 'Previous change' }).click();
  assert.is(await page.getByLabel('Name').inputValue(), 'Unsaved');
  assert.not(page.url().includes('at='));
  await visitor.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
