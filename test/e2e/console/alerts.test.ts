// Own process: a browser stays open for as long as the file runs.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deliveryIdOf } from '../../../domain/delivery/events.ts';
import { instantOf } from '../../../domain/time.ts';
import { storeFiredAlert, storeDeliveries } from '../../api/alerts.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, signInAt, type Console } from './visits.ts';

const test = suite<{ site: Console; check_id: string }>('alerts in the console');

/** Markup that would run a script if it were not shown as text. */
const HOSTILE = '<img src=x onerror="document.title=1">';

const created = async ({ service }: Console, path: string, body: object): Promise<string> => {
  const reply = await service.request('POST', path, { body });
  assert.is(reply.status, 201, reply.text);
  return (reply.json() as { id: string }).id;
};

test.before(async (context) => {
  const site = await openConsole();
  context.site = site;
  context.check_id = await created(site, '/v1/checks', {
    name: 'Checkout',
    type: 'web',
    url: 'http://127.0.0.1:9/',
    interval: 3_600,
    tags: ['eu'],
  });
  await storeUser(site.service, 'ann', 'editor');
  await storeUser(site.service, 'vic', 'viewer');
});
test.after.each(closeServers);
test.after(({ site }) => site.stop());

/** Opens a tab at a path for a signed-in user. */
const tabOf = async (site: Console, who: string, path: string, options = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

const rowOf = (page: Page, title: string) => page.locator('tr[data-id]', { hasText: title });
const titles = (page: Page): Promise<string[]> => page.locator('tr[data-id] th a').allInnerTexts();
const badge = (page: Page) => page.locator('nav .nav-count');

test('alerts are acknowledged and resolved by keyboard and in bulk, and other tabs show the changes', async ({
  site,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/alerts');
  await page.getByRole('heading', { name: 'No active alerts' }).waitFor();
  const other = await visitor.open('/console');
  await other.getByRole('button', { name: /^Account/ }).waitFor();
  assert.is(await badge(other).count(), 0);
  for (const [title, severity] of [
    ['Shop is down', 'critical'],
    ['Search is slow', 'low'],
    ['Cart is down', 'high'],
  ] as const) {
    site.service.time.now += 1_000;
    await storeFiredAlert(site.service, site.service.first.id, { title, severity });
  }
  await eventually(async () => (await titles(page)).join() === 'Cart is down,Search is slow,Shop is down');
  await other.getByRole('link', { name: /^Alerts 3 active alerts/ }).waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await rowOf(page, 'Search is slow').getByText('ann@example.com').waitFor();
  await page.getByText('Acknowledged 1 alert.').waitFor();
  await other.getByRole('link', { name: /^Alerts 3 active alerts/ }).click();
  await rowOf(other, 'Search is slow').getByText('ann@example.com').waitFor();

  // The URL contains the filter, so a reload restores it.
  await page.getByRole('button', { name: 'critical' }).click();
  await eventually(async () => (await titles(page)).join() === 'Shop is down');
  await page.reload();
  await eventually(async () => (await titles(page)).join() === 'Shop is down');
  await page.getByRole('button', { name: 'critical' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('is down');
  await eventually(async () => (await titles(page)).join() === 'Cart is down,Shop is down');
  assert.is(new URL(page.url()).searchParams.get('q'), 'is down');

  await page.getByRole('checkbox', { name: 'Select all alerts on this page' }).click();
  await page.getByText('2 alerts selected').waitFor();
  await page.getByRole('region', { name: 'Selected alerts' }).getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('Resolved 2 alerts.').waitFor();
  await page.getByText('No alert matches the filter.').waitFor();
  await page.mouse.move(1, 1);
  await eventually(async () => (await titles(other)).join() === 'Search is slow');
  await other.getByRole('link', { name: /^Alerts 1 active alert/ }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the timeline of an alert shows who acted, and which channels were notified with what outcome', async ({
  site,
  check_id,
}) => {
  const { service } = site;
  const organization_id = service.first.id;
  const configuration = { recipients: ['ina@example.com', 'ole@example.com'] };
  const channel_id = await created(site, '/v1/alerts/channels', { name: 'Operators', type: 'email', configuration });
  const about = { check_id, check_name: 'Checkout', title: HOSTILE, description: HOSTILE, channel_ids: [channel_id] };
  const id = await storeFiredAlert(service, organization_id, about);
  const receiving = (place: number) => {
    const cause = { kind: 'alert', id: `${id}/fired` };
    const receiver_id = `${channel_id}/${place}`;
    return { cause, receiver_id, delivery_id: deliveryIdOf(cause, receiver_id), organization_id };
  };
  const [ina, ole] = [receiving(1), receiving(2)];
  const begun_at = instantOf(service.time.now);
  const attempt = { number: 1, begun_at, duration: 5, response_code: null };
  const deliveries = [ina, ole].map(({ delivery_id, receiver_id }) => ({
    delivery_id,
    receiver_id,
    notifier: 'email',
    target: 'relay',
  }));
  await storeDeliveries(
    service,
    {
      type: 'DeliveriesPlanned',
      data: {
        organization_id,
        cause: ina.cause,
        caused_at: begun_at,
        series: null,
        priority: 'alert',
        about: null,
        not_after: instantOf(service.time.now + 3_600_000),
        deliveries,
      },
    },
    { type: 'DeliverySucceeded', data: { ...ina, attempt } },
    {
      type: 'DeliveryAttemptFailed',
      data: { ...ole, attempt, reason: 'timeout', error_message: 'No answer came.', retry_at: begun_at },
    },
  );

  const { visitor, page } = await tabOf(site, 'ann', `/console/alerts/${id}`);
  await page.getByRole('heading', { name: HOSTILE }).waitFor();
  const course = page.getByRole('region', { name: 'Timeline' });
  await course.getByText('E-mail: Operators · alert').waitFor();
  await course.getByText('sent (1), failed, will be retried (1)').waitFor();
  await course.getByText('No answer came.').waitFor();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await course.getByText('Acknowledged: ann@example.com').waitFor();
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
  await course.getByText('Resolved: ann@example.com').waitFor();
  assert.is(await page.getByRole('button', { name: /Acknowledge|Resolve/ }).count(), 0);
  assert.is(await page.getByRole('link', { name: 'Checkout' }).getAttribute('href'), `/console/checks/${check_id}`);
  await page.getByRole('link', { name: 'Operators' }).click();
  await page.getByRole('heading', { name: 'Operators' }).waitFor();
  await page.goto(`${site.address}/console/alerts?status=resolved`);
  await rowOf(page, HOSTILE).getByText('resolved: ann@example.com').waitFor();
  assertNothingFailed(visitor);
  await page.goto(`${site.address}/console/alerts/zzzzzzzzzzzz`);
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
  await visitor.close();
});

test('alert channels are tested before they are saved, and their secrets are not shown again', async ({ site }) => {
  const received: string[] = [];
  const server = await httpServer((request, response, body) => {
    received.push(`${String(request.headers['x-key'])} ${body}`);
    response.statusCode = request.url === '/gone' ? 410 : 204;
    response.end();
  });
  const { visitor, page } = await tabOf(site, 'ann', '/console/alerts/channels');
  await page.getByRole('link', { name: 'New channel' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Pager');
  await page.getByLabel('Type').selectOption('webhook');
  await page.getByLabel('URL', { exact: true }).fill('mailto:ops@example.com');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.keyboard.type('X-Key');
  await page.keyboard.press('Tab');
  await page.keyboard.type('s3cret');
  await page.getByRole('textbox', { name: /^Signing secret/ }).fill('guess');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Must be whsec_ and 24 to 64 bytes in base64.').waitFor();
  const url = page.getByLabel('URL', { exact: true });
  await eventually(() => url.evaluate((field) => field === document.activeElement));
  assert.is(await url.inputValue(), 'mailto:ops@example.com');
  await url.fill(`http://127.0.0.1:${server.port}/gone`);
  await page.getByRole('textbox', { name: /^Signing secret/ }).fill(`whsec_${Buffer.alloc(24).toString('base64')}`);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test failed:').waitFor();
  await url.fill(`http://127.0.0.1:${server.port}/hook`);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/^The test arrived after/).waitFor();
  assert.is(received.length, 2);
  assert.match(received[1] ?? '', /^s3cret .*"test":true/);
  await page.getByRole('button', { name: 'Create' }).click();
  const pager = page.getByRole('row', { name: /Pager/ });
  await pager.getByText('/hook').waitFor();
  await pager.getByRole('button', { name: 'Send a test: Pager' }).click();
  await page.getByText(/^The test arrived after/).waitFor();

  // A stored secret is preserved until the user replaces it.
  await page.getByRole('link', { name: 'Pager' }).click();
  await page.getByText('Stored. It is not shown again.').waitFor();
  assert.not.match(await page.content(), 'whsec_A');
  await page.getByLabel('Name', { exact: true }).fill('Pager on call');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Pager on call' }).click();
  await page.getByText('Stored. It is not shown again.').waitFor();
  assert.equal(
    visitor.complaints.filter((one) => !one.startsWith('422 ')),
    [],
  );
  await visitor.close();
});

test('alert rules are created, and are described in sentences', async ({ site, check_id }) => {
  const configuration = { recipients: ['ops@example.com'] };
  await created(site, '/v1/alerts/channels', { name: 'On call', type: 'email', configuration });
  const { visitor, page } = await tabOf(site, 'ann', '/console/alerts/rules/new');
  await page.getByLabel('Name', { exact: true }).fill('Shop is down');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Missing required field.').waitFor();
  const check = page.getByRole('combobox', { name: 'Check', exact: true });
  await eventually(() => check.evaluate((field) => field === document.activeElement));
  await page.keyboard.type('heck');
  await page.getByRole('option', { name: /Checkout/ }).waitFor();
  await page.keyboard.press('Enter');
  assert.is(await check.inputValue(), 'Checkout');
  await page.getByLabel('Runs in a row before it alerts').fill('3');
  await page.getByLabel('In how many regions').selectOption('majority');
  await page.getByRole('checkbox', { name: /^On call/ }).check();
  await page
    .getByText(
      /When .Checkout. fails in most regions, 3 runs in a row, start an alert of severity high and notify .On call./,
    )
    .waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row', { name: /Shop is down/ });
  await row.getByText('3 runs in a row').waitFor();
  assert.is(await row.getByRole('link', { name: 'Checkout' }).getAttribute('href'), `/console/checks/${check_id}`);

  await row.getByRole('button', { name: 'Actions: Shop is down' }).click();
  await page.getByRole('button', { name: 'Mute for 8 hr' }).click();
  await row.getByText(/^muted until/).waitFor();
  await row.getByRole('button', { name: 'Actions: Shop is down' }).click();
  await page.getByRole('button', { name: 'End mute' }).click();
  await eventually(async () => (await row.getByText(/^muted until/).count()) === 0);

  // Another user saves a change first.
  await row.getByRole('link', { name: 'Shop is down' }).click();
  await page.getByLabel('It watches').selectOption('tag');
  await page.getByLabel('Tag').fill('eu');
  await page.getByText('1 check has this tag now.').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const path = `/v1/alerts/rules/${id}`;
  assert.is((await site.service.request('PATCH', path, { body: { severity: 'low' } })).status, 200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Somebody else has changed this in the meantime/).waitFor();
  await page.getByRole('button', { name: 'Save mine' }).click();
  await page.getByText('Tag: eu').waitFor();
  const saved = (await site.service.request('GET', path)).json() as Record<string, unknown>;
  assert.equal([saved['tag'], saved['check_id'], saved['severity'], saved['confirmations']], ['eu', null, 'high', 3]);

  // The user must confirm before input is lost.
  await page.getByRole('link', { name: 'Shop is down' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Another name');
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.getByRole('link', { name: 'Overview' }).click();
  assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Another name');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Actions: Shop is down' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No alert rules yet' }).waitFor();
  assert.equal(
    visitor.complaints.filter((one) => !/^(?:422|412) /.test(one)),
    [],
  );
  await visitor.close();
});

test('viewers see alerts without buttons and with masked secrets, and user content is shown as text', async ({
  site,
  check_id,
}) => {
  const { service } = site;
  const name = `${HOSTILE}<script>document.title=1</script>`.slice(0, 100);
  const configuration = { url: 'http://127.0.0.1:9/t0ken', headers: { 'X-Key': 's3cret' } };
  const channel_id = await created(site, '/v1/alerts/channels', { name, type: 'webhook', configuration });
  const body = { name, tag: 'eu', condition: 'check_failed', channel_ids: [channel_id] };
  const rule_id = await created(site, '/v1/alerts/rules', body);
  const about = { title: name, check_id, check_name: name, rule_name: name, rule_id };
  const alert = await storeFiredAlert(service, service.first.id, about);
  const { visitor, page } = await tabOf(site, 'vic', '/console/alerts');
  await rowOf(page, name).waitFor();
  const nothingToPress = async (): Promise<void> => {
    const words = /Acknowledge|Resolve|New|Save|Delete|Edit|Actions|test|Add/;
    assert.is(await page.locator('main').getByRole('button', { name: words }).count(), 0);
    assert.is(await page.locator('main').getByRole('checkbox').count(), 0);
    assert.is(await page.getByRole('link', { name: /^New/ }).count(), 0);
  };
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.keyboard.press('x');
  await nothingToPress();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name }).waitFor();
  assert.is(new URL(page.url()).pathname, `/console/alerts/${alert}`);
  await nothingToPress();
  await page.goto(`${site.address}/console/alerts/rules`);
  await page.getByRole('link', { name }).click();
  await page.getByText(/^When a check with the tag .eu. fails/).waitFor();
  await nothingToPress();
  await page.getByRole('link', { name: 'Rules' }).click();
  await page.goto(`${site.address}/console/alerts/channels/${channel_id}`);
  await page.getByText('http://127.0.0.1:9/***').waitFor();
  await page.getByText('X-Key: ********').waitFor();
  await nothingToPress();
  await page.goto(`${site.address}/console/alerts/channels`);
  await page.getByRole('link', { name }).waitFor();
  await nothingToPress();
  assert.match(await page.title(), /^Alerts/);
  assertNothingFailed(visitor);
  await visitor.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
