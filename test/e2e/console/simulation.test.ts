// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckRunCompleted } from '../../../domain/check-result/events.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/time.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console; check: string; rule: string }>('the simulation beside the form of an alert rule');

const SIMULATE = '/v1/alerts/rules/simulate';
const DOWN: Partial<CheckRunCompleted> = {
  status: 'down',
  reason: 'connect',
  response_time: null,
  error_message: 'Connection refused by <b>127.0.0.1:443</b>.',
};

const create = async ({ service }: Console, path: string, body: object): Promise<string> => {
  const reply = await service.request('POST', path, { body });
  assert.is(reply.status, 201, reply.text);
  return (reply.json() as { id: string }).id;
};

/** Records a result for each minute from a moment on: `.` is ok, `x` is down. */
const record = async ({ service }: Console, check: string, start: number, results: string): Promise<void> => {
  const organization_id = service.first.id;
  const events = results
    .split('')
    .map((result, minute) =>
      resultOf(check, start + minute * MINUTE_MS, { organization_id, ...(result === 'x' && DOWN) }),
    );
  const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
};

test.before(async (context) => {
  const now = Date.now();
  const site = await openConsole({ now: now - 20 * DAY_MS });
  context.site = site;
  await storeUser(site.service, 'ann', 'editor');
  const shop = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, tags: ['eu'] };
  context.check = await create(site, '/v1/checks', shop);
  const channel = await create(site, '/v1/alerts/channels', {
    name: 'Operators',
    type: 'email',
    configuration: { recipients: ['ina@example.com'] },
  });
  context.rule = await create(site, '/v1/alerts/rules', {
    name: 'Shop is down',
    check_id: context.check,
    condition: 'check_failed',
    channel_ids: [channel],
    confirmations: 2,
    cooldown_period: 0,
  });
  await record(site, context.check, now - 15 * DAY_MS, '.xxx.');
  await record(site, context.check, now - 2 * DAY_MS, '..xx.x.xxx...');
  site.service.time.now = now;
});
test.after(({ site }) => site.stop());

/** Opens a tab at a path, and records the simulations that it requests. */
const tabOf = async (site: Console, path: string, options: BrowserContextOptions = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  const simulations: unknown[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === SIMULATE) simulations.push(request.postDataJSON());
  });
  await signInAt(page, 'ann@example.com');
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page, simulations };
};

const panel = (page: Page) => page.getByRole('complementary', { name: 'What would have fired' });
const simulate = (page: Page): Promise<void> => panel(page).getByRole('button', { name: 'Simulate' }).click();
const rows = (page: Page) => panel(page).locator('tbody tr');

test('the simulated alerts of an alert rule are shown on request, and marked as outdated after the form has changed', async ({
  site,
  check,
  rule,
}) => {
  const { visitor, page, simulations } = await tabOf(site, `/console/alerts/rules/${rule}`);
  await panel(page).waitFor();
  assert.equal(simulations, []);
  await simulate(page);
  await panel(page).getByText('2 alerts in 13 runs').waitFor();
  assert.is(await rows(page).count(), 2);
  assert.match(await rows(page).first().innerText(), /1 min/);
  await panel(page).locator('.state-strip .down').waitFor();
  assert.is(await panel(page).locator('b').count(), 0);
  const link = rows(page).first().getByRole('link').first();
  assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/console/checks/${check}\\?result=\\w+$`));

  // Fields that do not affect the alerts do not make the result stale.
  await page.getByLabel('Name').fill('Another name');
  const stale = panel(page).getByText('The form has changed since this simulation.');
  assert.is(await stale.count(), 0);
  await page.getByLabel('Runs in a row before it alerts').fill('1');
  await stale.waitFor();
  await simulate(page);
  await panel(page).getByText('3 alerts in 13 runs').waitFor();
  assert.is(await stale.count(), 0);

  await panel(page).getByLabel('Period').selectOption('Last 30 days');
  await stale.waitFor();
  await simulate(page);
  await panel(page).getByText('4 alerts in 18 runs').waitFor();
  assert.is(simulations.length, 3);
  const stored = (await site.service.request('GET', `/v1/alerts/rules/${rule}`)).json() as { confirmations: number };
  assert.is(stored.confirmations, 2);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('errors of a simulation are shown next to the fields of the alert rule and of the simulated period', async ({
  site,
  rule,
}) => {
  const { visitor, page } = await tabOf(site, `/console/alerts/rules/${rule}`);
  await page.getByLabel('Runs in a row before it alerts').fill('99');
  await simulate(page);
  await panel(page).getByText('The form has invalid fields.').waitFor();
  const field = page.getByLabel('Runs in a row before it alerts');
  assert.is(await field.getAttribute('aria-invalid'), 'true');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement).name === 'confirmations');
  await field.fill('1');
  await panel(page).getByLabel('Period').selectOption('Other period');
  await panel(page).getByLabel('From').fill('2020-01-01T10:00');
  await panel(page).getByLabel('Until').fill('2020-01-01T09:00');
  await simulate(page);
  await panel(page).getByText('Must be later than from.').waitFor();
  await panel(page)
    .getByText(/^Must not be before/)
    .waitFor();
  assert.is(await field.getAttribute('aria-invalid'), 'false');
  await visitor.close();
});

test('a new rule for a tag is simulated before it is saved', async ({ site }) => {
  const { visitor, page } = await tabOf(site, '/console/alerts/rules/new?tag=eu');
  await simulate(page);
  await panel(page).getByText('2 alerts in 13 runs').waitFor();
  await rows(page).first().getByText('Shop', { exact: true }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('a simulation that reached a limit says so', async ({ site, rule }) => {
  const { visitor, page } = await tabOf(site, `/console/alerts/rules/${rule}`);
  await page.route(`**${SIMULATE}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), truncated: true } });
  });
  await simulate(page);
  await panel(page)
    .getByText(/^A limit was reached/)
    .waitFor();
  await visitor.close();
});

for (const [look, options] of [
  ['with dark colours', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
] as const satisfies readonly (readonly [string, BrowserContextOptions])[])
  test(`the simulation of an alert rule conforms to WCAG 2.2 AA ${look}`, async ({ site, rule }) => {
    const { visitor, page } = await tabOf(site, `/console/alerts/rules/${rule}`, options);
    await simulate(page);
    await rows(page).first().waitFor();
    await page.getByLabel('Runs in a row before it alerts').fill('1');
    await panel(page).getByRole('status').first().waitFor();
    assert.equal(await violations(page), []);
    assert.not(await overflows(page));
    await visitor.close();
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
