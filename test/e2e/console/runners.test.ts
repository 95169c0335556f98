// Own process: a browser stays open for as long as the file runs.
import { writeFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordRunnerConnection, recordRunnerDisconnection } from '../../../commands/runners.ts';
import type { RunnerPresence } from '../../../domain/runner/presence.ts';
import { derivedId } from '../../../domain/identity.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import { SERVER } from '../../domain/check-result/examples.ts';
import { storeResults } from './check-results.ts';
import { assertNothingFailed, openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console }>('runners in the console');

test.before(async (context) => {
  context.site = await openConsole();
  await storeUser(context.site.service, 'ann', 'admin');
  await storeUser(context.site.service, 'vic', 'viewer');
});
test.after(({ site }) => site.stop());

const HOSTILE = '<img src=x onerror="document.title=1">';
const TOKEN = /^upr_[A-Za-z0-9_-]{43}$/;

interface Runner {
  id: string;
  region: string;
}

const tabOf = async (site: Console, who: string, path: string, options: BrowserContextOptions = {}) => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  return { visitor, page };
};

const create = async ({ service }: Console, body: object, key = service.first.keys.admin): Promise<Runner> => {
  const reply = await service.request('POST', '/v1/runners', { key, body });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Runner;
};

/** Stores the presence of a runner's process, as the service does when a runner connects. */
const connect = async (
  { service }: Console,
  { id, region }: Runner,
  fields: Partial<RunnerPresence> = {},
): Promise<void> => {
  const presence: RunnerPresence = {
    runner_id: id,
    instance: `${id} one`,
    region,
    types: ['tcp', 'web'],
    lacking: [{ type: 'icmp', reason: `fping is not installed. ${HOSTILE}` }],
    release: '0.2.0',
    address: '192.0.2.7',
    in_flight: 3,
    capacity: 200,
    last_contact: service.time.now,
    clock_offset_ms: 12,
    ...fields,
  };
  service.presences.push(presence);
  const { instance, release, types } = presence;
  const context = service.context(service.first.id, `${id} connected`);
  await service.commands.bind(recordRunnerConnection)(id, { instance, release, types }, context);
};

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });

const choose = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions: ${name}`, exact: true }).click();
  await page.getByRole('button', { name: action, exact: true }).click();
};

const tokenShown = (page: Page): Promise<string> => page.getByRole('region', { name: 'Runner token' }).innerText();

test('an admin creates, starts, renames and revokes runners, and gives them new tokens', async ({ site }) => {
  const { service } = site;
  const { visitor, page } = await tabOf(site, 'ann', '/console/runners');
  await page.getByText('There are no remote runners').waitFor();
  await page.getByRole('button', { name: 'New runner' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.locator('.problem').first().waitFor();
  const field = page.getByLabel('Name', { exact: true });
  assert.ok(await field.evaluate((one) => one === document.activeElement));
  await field.fill(HOSTILE);
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const token = await tokenShown(page);
  assert.match(token, TOKEN);
  const command = await page.getByRole('region', { name: 'Start it in a terminal' }).innerText();
  assert.ok(command.endsWith(`npx uptrail run --server ${site.address}`), command);
  assert.not(command.includes(token));
  await page.getByText('This address works on this machine only.').waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const row = rowOf(page, HOSTILE);
  await row.getByText('Not connected yet').waitFor();
  await row.getByText('Only runner of its region').waitFor();
  assert.is(await page.locator('main img').count(), 0);
  assert.not((await page.content()).includes(token));

  // The screen shows later changes without a reload.
  const { runners } = (await service.request('GET', '/v1/runners')).json() as { runners: Runner[] };
  const [runner] = runners;
  assert.ok(runner);
  await connect(site, runner, { clock_offset_ms: 3_600_000 });
  await row.getByText('Connected', { exact: true }).waitFor();
  await row.getByText('Clock 1 hr ahead').waitFor();
  await row.getByText('3 of 200').waitFor();
  await row.getByText('192.0.2.7').waitFor();
  await row.getByText('Can’t run 1 type').click();
  await row.getByText(`fping is not installed. ${HOSTILE}`).waitFor();
  assert.is(await page.locator('main img').count(), 0);

  await choose(page, HOSTILE, 'Rename');
  await page.getByLabel('Name', { exact: true }).fill('Office');
  await page.getByRole('button', { name: 'Save' }).click();
  const office = rowOf(page, 'Office');
  await office.getByText('Private location').waitFor();

  await choose(page, 'Office', 'Add a runner to this region');
  await page.getByLabel('Name', { exact: true }).fill('Cellar');
  const region = page.getByLabel('Region', { exact: true });
  await eventually(async () => (await region.inputValue()) === runner.region);
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await tokenShown(page);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await rowOf(page, 'Cellar').waitFor();
  await page.getByText('Only runner of its region').waitFor({ state: 'detached' });

  await choose(page, 'Office', 'Replace the token');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the token' }).click();
  await page.getByText('Start the runner with the new token.').waitFor();
  const next = await tokenShown(page);
  assert.match(next, TOKEN);
  assert.is.not(next, token);
  await page.getByRole('button', { name: 'I have copied it' }).click();

  service.presences.length = 0;
  const context = service.context(service.first.id, 'silent');
  await service.commands.bind(recordRunnerDisconnection)(runner.id, `${runner.id} one`, 'silent', context);
  await office.getByText('Silent', { exact: true }).waitFor();

  await choose(page, 'Office', 'Revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The name does not match.').waitFor();
  await page.getByLabel('Type the name to confirm: Office').fill('Office');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Actions: Office' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Revoked' }).click();
  await rowOf(page, 'Office').waitFor();
  assert.is(await page.getByRole('button', { name: /^Actions/ }).count(), 0);
  assert.equal(
    visitor.complaints.filter((text) => !text.startsWith('422')),
    [],
  );
  await visitor.close();
});

test('the console warns that a runner of a public region replaces the built-in runner there', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/runners');
  await page.getByRole('button', { name: 'New runner' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Dublin');
  await page.getByLabel('Region', { exact: true }).selectOption('Public region: West Europe, Belgium');
  await page.getByText('The built-in runner no longer serves this region').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await rowOf(page, 'Dublin').getByText('EU, West').waitFor();
  await choose(page, 'Dublin', 'Revoke');
  await page.getByText('uptrail runner release').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the list of runners is read again every half minute while a runner is connected, but not in a hidden tab', async ({
  site,
}) => {
  const { service } = site;
  await connect(site, await create(site, { name: 'Busy' }));
  const visitor = await site.visit();
  const page = await visitor.context.newPage();
  await page.clock.install();
  await page.goto(`${site.address}/console/runners`);
  await signInAt(page, 'ann@example.com');
  await rowOf(page, 'Busy').getByText('3 of 200').waitFor();
  let reads = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/runners') reads += 1;
  });
  const turn = (hidden: boolean): Promise<void> =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const [presence] = service.presences;
  assert.ok(presence);
  service.presences.splice(0, 1, { ...presence, in_flight: 7 });
  await turn(true);
  await page.clock.fastForward(120_000);
  assert.is(reads, 0);
  await turn(false);
  await rowOf(page, 'Busy').getByText('7 of 200').waitFor();
  service.presences.splice(0, 1, { ...presence, in_flight: 9 });
  await eventually(async () => {
    await page.clock.fastForward(31_000);
    return (await rowOf(page, 'Busy').getByText('9 of 200').count()) > 0;
  });
  await visitor.close();
});

test('operators of the service see the runners of other organizations, but can’t change them', async ({ site }) => {
  const { service } = site;
  await create(site, { name: 'Elsewhere' }, service.second.keys.admin);
  const { visitor, page } = await tabOf(site, 'ann', '/console/runners');
  await rowOf(page, 'Elsewhere').getByText(service.second.id).waitFor();
  assert.is(await page.getByRole('button', { name: 'Actions: Elsewhere' }).count(), 0);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('viewers see runners without buttons, and checks show the names of their regions', async ({ site }) => {
  const { service } = site;
  const runner = await create(site, { name: 'Warehouse' });
  const { region } = runner;
  await connect(site, runner);
  const body = { name: 'Scanner', type: 'web', url: 'http://127.0.0.1:9/', parameters: { regions: [region] } };
  const created = await service.request('POST', '/v1/checks', { body: { ...body, interval: 3_600 } });
  assert.is(created.status, 201, created.text);
  const check = created.json() as { id: string };
  const server_metadata = { provider: 'self-hosted', runner: 'Scanner in the cellar' };
  const check_server = { ...SERVER, id: derivedId(region), region, country: 'ZZ', server_metadata };
  await storeResults(service, check.id, [[service.time.now - 1_000, { region, check_server }]]);
  const { visitor, page } = await tabOf(site, 'vic', '/console/runners');
  await rowOf(page, 'Warehouse').waitFor();
  assert.is(await page.locator('main button').count(), 0);
  assert.is(await page.getByText('Elsewhere').count(), 0);
  await page.goto(`${site.address}/console/checks/${check.id}`);
  const seen = page.locator('section.regions');
  await seen.getByText('Warehouse', { exact: true }).waitFor();
  await seen.getByText('Scanner in the cellar').waitFor();
  assert.is(await page.getByText('ZZ').count(), 0);
  assert.is(await page.getByText(region).count(), 0);
  assertNothingFailed(visitor);
  await visitor.close();
});

/** Revokes every runner, so that the next test starts without runners. */
const revokeAll = async ({ service }: Console): Promise<void> => {
  service.presences.length = 0;
  for (const { admin } of [service.first.keys, service.second.keys]) {
    const { runners } = (await service.request('GET', '/v1/runners', { key: admin })).json() as {
      runners: (Runner & { state: string })[];
    };
    for (const { id, state } of runners)
      if (state !== 'revoked') await service.request('DELETE', `/v1/runners/${id}`, { key: admin });
  }
};
test.after.each(({ site }) => revokeAll(site));

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

/** A right-to-left name of maximum length, without a space at which it could be broken. */
const NAME = 'متجر'.repeat(25);

for (const [look, options] of Object.entries(LOOKS))
  test(`the runners screen conforms to WCAG 2.2 AA as far as axe can detect (${look})`, async ({ site }) => {
    const found: string[] = [];
    const hold = async (title: string, page: Page): Promise<void> => {
      const shots = process.env['SCREENSHOTS'];
      if (shots !== undefined)
        writeFileSync(`${shots}/${look} ${title}.png`, await page.screenshot({ fullPage: true }));
      found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      if (await overflows(page)) found.push(`${title}: it can be scrolled sideways`);
    };
    const lacking = { type: 'synthetic', reason: `There is no Chromium. ${NAME}` };
    await connect(site, await create(site, { name: NAME }), { lacking: [lacking], clock_offset_ms: -90_000 });
    await connect(site, await create(site, { name: 'Frankfurt', region: 'ru-msk1' }));
    const { visitor, page } = await tabOf(site, 'ann', '/console/runners', options);
    await rowOf(page, NAME).getByText('Can’t run 1 type').click();
    await hold('the list', page);
    await page.getByRole('button', { name: 'New runner' }).click();
    await hold('a new runner', page);
    await page.getByLabel('Name', { exact: true }).fill('Attic');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await tokenShown(page);
    await hold('the token', page);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Actions: Frankfurt' }).first().click();
    await hold('what can be done', page);
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await hold('the question', page);
    await page.keyboard.press('Escape');
    await revokeAll(site);
    await page.goto(`${site.address}/console/runners?tab=revoked`);
    await rowOf(page, 'Attic').first().waitFor();
    await hold('revoked ones', page);
    await visitor.close();
    assert.equal(found, []);
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
