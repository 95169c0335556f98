// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeChannel } from '../../api/stored-channels.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console }>('heartbeats in the console');

const HOSTILE = '<img src=x onerror="document.title=1">';

test.before(async (context) => {
  context.site = await openConsole();
  await storeUser(context.site.service, 'ann', 'editor');
  await storeUser(context.site.service, 'vic', 'viewer');
  await storeChannel(context.site.service, context.site.service.first.id);
});
test.after(({ site }) => site.stop());

const tabOf = async (site: Console, who: string, path: string, options: BrowserContextOptions = {}) => {
  const visitor = await site.visit({ timezoneId: 'America/New_York', ...options });
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

const create = async ({ service }: Console, body: object): Promise<string> => {
  const reply = await service.request('POST', '/v1/heartbeats', { body });
  assert.is(reply.status, 201, reply.text);
  return (reply.json() as { id: string }).id;
};

const ping = async ({ service }: Console, id: string, end = '', body?: string): Promise<void> => {
  const headers = { 'user-agent': HOSTILE, ...(body !== undefined && { 'content-type': 'text/plain' }) };
  const sent = { key: null, headers, ...(body !== undefined && { body }) };
  assert.is((await service.request('POST', `/v1/heartbeats/${id}/ping${end}`, sent)).status, 200);
};

test('heartbeats are created, pinged with a copied command, edited, paused and deleted', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/heartbeats');
  await page.getByRole('heading', { name: 'No job is watched yet' }).waitFor();
  await page.getByRole('link', { name: 'New heartbeat' }).first().click();
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('Tags').fill('eu,Night,');
  await page.getByLabel('Expected', { exact: true }).selectOption('schedule');
  const expression = page.getByLabel('Cron expression');
  await expression.fill('61 3 * * *');
  await page.getByText(/^The minute "61" can't be read/).waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  // The error is shown next to its field, which has the focus. No input is lost.
  await page.getByText('Must be 1 to 50 lower-case letters').waitFor();
  assert.is(await page.getByLabel('Name').inputValue(), HOSTILE);
  await page.getByRole('button', { name: 'Remove: Night' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await eventually(() => expression.evaluate((field) => field === document.activeElement));
  await expression.fill('30 3 * * *');
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await eventually(async () => (await page.locator('.times li').count()) === 5);
  assert.match(await page.locator('.times').innerText(), /03:30 AM\n.*America\/New_York/);
  visitor.complaints.length = 0;
  await page.getByRole('button', { name: 'Create' }).click();

  await page.getByRole('heading', { name: HOSTILE }).waitFor();
  await page.getByText('Nothing is expected before the first ping.', { exact: false }).waitFor();
  await page.getByText('Nobody is notified when this heartbeat goes down.').waitFor();
  await page.getByRole('button', { name: 'Add a channel' }).click();
  await page.locator('.actions-menu button').first().click();
  await page.getByRole('button', { name: /^Stop notifying/ }).waitFor();
  const address = await page.getByRole('region', { name: 'Ping address' }).innerText();
  assert.ok(address.startsWith(`${site.address}/v1/heartbeats/`), address);
  await page.getByRole('link', { name: 'Kubernetes' }).click();
  const manifest = page.getByRole('region', { name: 'Manifest' });
  await manifest.waitFor();
  assert.match(await manifest.innerText(), /schedule: "30 3 \* \* \*"\n {2}timeZone: "Europe\/Berlin"/);
  assert.ok((await manifest.innerText()).includes(`${address}/start`));

  const id = idIn(page);
  await ping(site, id, '/start');
  await ping(site, id, '/fail', `${HOSTILE}\nno space left`);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('cell', { name: 'failure' }).waitFor();
  await page.locator('summary', { hasText: HOSTILE }).click();
  await page.getByText('no space left').waitFor();
  assert.is(await page.locator('main img').count(), 0);
  assert.is.not(await page.title(), '1');

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Name').fill('Backup');
  const dialogs: string[] = [];
  page.once('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Overview' }).click();
  await eventually(() => dialogs.length === 1);
  // Another user saves a change first.
  await site.service.request('PATCH', `/v1/heartbeats/${id}`, { body: { grace_seconds: 120 } });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else has changed this in the meantime.', { exact: false }).waitFor();
  visitor.complaints.length = 0;
  await page.getByRole('button', { name: 'Save mine' }).click();
  await page.getByRole('heading', { name: 'Backup', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Pings are recorded, but none is expected', { exact: false }).waitFor();
  await page.getByRole('link', { name: 'Clone' }).click();
  await eventually(async () => (await page.getByLabel('Name').inputValue()) === 'Backup');
  await page.goto(`${site.address}/console/heartbeats/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No job is watched yet' }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('heartbeats are listed with the late heartbeats first, are filtered, and are updated while they are shown', async ({
  site,
}) => {
  const { service } = site;
  const ids: string[] = [];
  for (let index = 0; index < 53; index++)
    ids.push(await create(site, { name: `job-${index}`, period_seconds: 3_600, tags: index === 7 ? ['eu'] : [] }));
  const late = await create(site, { name: 'late-job', period_seconds: 60 });
  await ping(site, late);
  service.time.now += 90_000;
  const { visitor, page } = await tabOf(site, 'vic', '/console/heartbeats');
  await page.getByRole('heading', { name: 'Late (1)' }).waitFor();
  await page.getByRole('table', { name: 'Late' }).getByText('late-job').waitFor();
  await page.getByText('54 heartbeats').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await eventually(async () => (await page.locator('tbody tr').count()) === 3);
  await page.reload();
  await eventually(async () => (await page.locator('tbody tr').count()) === 3);

  await page.keyboard.press('/');
  await page.keyboard.type('tag:eu job');
  await eventually(async () => (await page.locator('tbody').innerText()).includes('job-7'));
  await page.getByText('1 heartbeat', { exact: true }).waitFor();
  assert.is(new URL(page.url()).searchParams.get('filter'), 'tag:eu job');
  await service.request('PATCH', `/v1/heartbeats/${ids[7] ?? ''}`, { body: { name: 'job-seven' } });
  await page.getByText('job-seven').waitFor();
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'late', exact: true }).click();
  await page.getByText('1 heartbeat', { exact: true }).waitFor();
  assert.is(await page.getByRole('link', { name: 'New heartbeat' }).count(), 0);

  await page.getByRole('link', { name: 'late-job' }).click();
  await page.getByText('A ping was expected by', { exact: false }).waitFor();
  for (const name of ['Pause', 'Delete', 'Add a channel'])
    assert.is(await page.getByRole('button', { name }).count(), 0, name);
  for (const name of ['Edit', 'Clone']) assert.is(await page.getByRole('link', { name }).count(), 0, name);
  await service.request('DELETE', `/v1/heartbeats/${late}`);
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
  assertNothingFailed(visitor);
  await page.goto(`${site.address}/console/heartbeats/new`);
  await page.getByText('Your role does not allow this.').waitFor();
  await visitor.close();
});

const LOOKS: readonly BrowserContextOptions[] = [
  { colorScheme: 'light' },
  { colorScheme: 'dark' },
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
];

test('heartbeats are accessible in every state', async ({ site }) => {
  const long = await create(site, { name: 'n'.repeat(200), schedule: '*/5 * * * *', time_zone: 'Europe/Berlin' });
  await create(site, { name: 'ש'.repeat(40), period_seconds: 60, tags: ['eu', 'team:shop'] });
  await ping(site, long, '', `exit status 0\n${'y'.repeat(500)}`);
  await ping(site, long, '/fail', 'z'.repeat(500));
  for (const look of LOOKS) {
    const { visitor, page } = await tabOf(site, 'ann', '/console/heartbeats', look);
    const hold = async (path: string, shown: string): Promise<void> => {
      await page.goto(`${site.address}/console/heartbeats${path}`);
      await page.getByText(shown).first().waitFor();
      assert.equal(await violations(page), [], path);
      assert.not(await overflows(page), path);
    };
    await hold('', 'job-52');
    await hold('?filter=nothing-like-it', 'No heartbeat matches the filter.');
    for (const place of ['cron', 'systemd', 'kubernetes', 'powershell']) await hold(`/${long}?for=${place}`, 'Refresh');
    await page.locator('summary').first().click();
    await page.getByRole('button', { name: 'Delete' }).click();
    assert.equal(await violations(page), [], 'the question');
    await page.keyboard.press('Escape');
    await hold(`/${long}/edit`, 'When it is too late');
    await hold('/nothing', 'This does not exist');
    await visitor.close();
  }
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
