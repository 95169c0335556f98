// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeFiredAlert } from '../../api/alerts.ts';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { noBrowser } from '../browser.ts';
import { openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

const test = suite<{ site: Console; ids: Record<'alert' | 'rule' | 'channel', string> }>(
  'the screens of alerts conform to WCAG 2.2 AA as far as axe can detect',
);

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

/** A right-to-left name of maximum length, without a space at which it could be broken. */
const NAME = 'متجر'.repeat(25);

test.before(async (context) => {
  const site = await openConsole();
  context.site = site;
  const { service } = site;
  await storeUser(service, 'ann', 'editor');
  const create = async (path: string, body: object): Promise<string> => {
    const reply = await service.request('POST', path, { body });
    assert.is(reply.status, 201, reply.text);
    return (reply.json() as { id: string }).id;
  };
  const target = { type: 'web', url: 'http://127.0.0.1:9/', interval: 3_600 };
  const check_id = await create('/v1/checks', { name: NAME, ...target });
  const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;
  const configuration = { url: 'http://127.0.0.1:9/hook', headers: { 'X-Key': 'x' }, secret };
  const channel = await create('/v1/alerts/channels', { name: NAME, type: 'webhook', configuration });
  const about = { condition: 'uptime_below_threshold', condition_parameters: { threshold: 99.9 } };
  const rule = await create('/v1/alerts/rules', { name: NAME, check_id, channel_ids: [channel], ...about });
  const region = { response_time: null, error_message: `Answered 503. ${NAME}`, status: 'down' };
  const seen = [
    { region: 'eu-bel1', holds: true, ...region },
    { region: 'ru-msk1', holds: false, ...region },
  ];
  const names = { title: `${NAME} is down`, check_id, check_name: NAME, rule_id: rule, rule_name: NAME };
  const alert = await storeFiredAlert(service, service.first.id, {
    ...names,
    severity: 'critical',
    channel_ids: [channel],
    regional_summary: seen,
    trigger_results: [
      { result_id: 'r1abcdefghij', region: 'eu-bel1', reason: 'status', at: '2026-11-20T15:04:05.123000', ...region },
    ],
  });
  for (const severity of ['high', 'medium', 'low'] as const)
    await storeFiredAlert(service, service.first.id, { severity });
  await service.request('POST', `/v1/alerts/${await storeFiredAlert(service, service.first.id)}/acknowledge`);
  context.ids = { alert, rule, channel };
});
test.after(({ site }) => site.stop());

/** Scrolls up, so that the bar at the top of the window covers no part of a button. */
const toTop = (page: Page): Promise<void> =>
  page.evaluate(() => {
    scrollTo(0, 0);
  });

for (const [look, options] of Object.entries(LOOKS))
  test(`the screens of alerts are accessible in every state (${look})`, async ({ site, ids }) => {
    const found: string[] = [];
    const hold = async (title: string, page: Page): Promise<void> => {
      found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      if (await overflows(page)) found.push(`${title}: it can be scrolled sideways`);
      if ((await page.locator('main [style]:not([popover])').count()) > 0) found.push(`${title}: it has inline styles`);
    };
    const visitor = await site.visit(options);
    const page = await visitor.open('/console/nowhere');
    await signInAt(page, 'ann@example.com');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    const go = async (path: string): Promise<void> => {
      await page.goto(`${site.address}/console${path}`);
    };

    await go('/alerts');
    await page.getByText('5 alerts', { exact: true }).waitFor();
    await hold('the list', page);
    await page.getByRole('checkbox').first().click();
    await page.getByText('5 alerts selected').waitFor();
    await page.getByRole('region', { name: 'Selected alerts' }).getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('dialog').waitFor();
    await hold('the question whether to resolve', page);
    await page.keyboard.press('Escape');
    await go('/alerts?q=nothing');
    await page.getByText('No alert matches the filter.').waitFor();
    await hold('a filter that finds nothing', page);
    await go(`/alerts?status=resolved&rule_id=${ids.rule}`);
    await page.getByText('No alert matches the filter.').waitFor();
    await hold('the alerts of a rule', page);

    await go(`/alerts/${ids.alert}`);
    await page.getByRole('heading', { name: 'Results that triggered it' }).waitFor();
    await hold('an alert', page);
    await go('/alerts/zzzzzzzzzzzz');
    await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
    await hold('an unknown alert', page);

    await go('/alerts/rules');
    await page.getByText(/^When the uptime/).waitFor();
    await page.getByRole('button', { name: /^Actions/ }).click();
    await hold('the rules, with the menu of one', page);
    await go(`/alerts/rules/${ids.rule}`);
    await page.getByRole('button', { name: 'Save' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.problem').first().waitFor();
    await toTop(page);
    await hold('a rule with what is wrong with it', page);
    await page.getByRole('combobox', { name: 'Check', exact: true }).fill('x');
    await page.getByRole('combobox', { name: 'Check', exact: true }).fill('');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await toTop(page);
    await hold('the checks to choose from', page);

    page.on('dialog', (dialog) => void dialog.accept());
    await go('/alerts/channels');
    await page.getByRole('button', { name: /^Send a test/ }).click();
    await page.getByText('The test failed:').waitFor();
    await hold('the channels, with a test', page);
    await go(`/alerts/channels/${ids.channel}`);
    await page.getByText('Stored. It is not shown again.').waitFor();
    await hold('a channel', page);
    await go('/alerts/channels/new');
    for (const type of ['telegram', 'max', 'slack', 'ntfy', 'statuspage', 'email']) {
      await page.getByLabel('Type').selectOption(type);
      await hold(`a new channel: ${type}`, page);
    }
    await page.route('**/v1/alerts?*', (route) => route.fulfill({ status: 503, body: 'Bad gateway' }));
    await go('/alerts');
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
    await hold('a failure', page);
    await visitor.close();
    assert.equal(found, []);
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
