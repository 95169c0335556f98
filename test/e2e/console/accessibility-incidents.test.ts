// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { noBrowser } from '../browser.ts';
import { openConsole, overflows, signInAt, violations, type Console } from './visits.ts';

interface Scene {
  site: Console;
  page_id: string;
  running: string;
  over: string;
  template: string;
}

const test = suite<Scene>('the screens of incidents conform to WCAG 2.2 AA as far as axe can detect');

const LONG = 'x'.repeat(200);
const MIRRORED = 'تعطل خدمة الدفع في المتجر';

const made = async ({ service }: Console, path: string, body: object): Promise<string> => {
  const reply = await service.request('POST', path, { body });
  assert.ok(reply.status < 300, reply.text);
  return (reply.json() as { id: string }).id;
};

test.before(async (context) => {
  const site = await openConsole();
  const page_id = await made(site, '/v1/pages', {
    name: LONG.slice(0, 100),
    subdomain: 'acme',
    time_zone: 'Asia/Tokyo',
  });
  const at = `/v1/pages/${page_id}`;
  const group = await made(site, `${at}/component-groups`, { name: MIRRORED });
  const shop = await made(site, `${at}/components`, { name: LONG.slice(0, 100), group_id: group });
  const quiet = { deliver_notifications: false, components: { [shop]: 'major_outage' }, body: LONG };
  const running = await made(site, `${at}/incidents`, { ...quiet, name: LONG, status: 'investigating' });
  const over = await made(site, `${at}/incidents`, { ...quiet, name: MIRRORED, status: 'resolved' });
  for (const name of [LONG, MIRRORED]) {
    const schedule = { scheduled_for: '2027-02-02T01:00:00Z', scheduled_until: '2027-02-04T01:00:00Z' };
    await made(site, `${at}/incidents`, { ...quiet, ...schedule, name, status: 'scheduled' });
  }
  const template = await made(site, '/v1/incident-templates', {
    name: LONG.slice(0, 100),
    page_id,
    components: { [shop]: 'major_outage' },
  });
  Object.assign(context, { site, page_id, running, over, template });
  await storeUser(site.service, 'ann', 'admin');
});
test.after(({ site }) => site.stop());

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

for (const [look, options] of Object.entries(LOOKS))
  test(`the screens of incidents are accessible in every state (${look})`, async ({
    site,
    page_id,
    running,
    over,
    template,
  }) => {
    const found: string[] = [];
    const visitor = await site.visit(options);
    const page = await visitor.open('/console/incidents');
    await signInAt(page, 'ann@example.com');
    await page.getByRole('heading', { name: 'Running now' }).waitFor();
    const hold = async (title: string): Promise<void> => {
      found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      if (await overflows(page)) found.push(`${title}: it can be scrolled sideways`);
    };
    const go = async (path: string): Promise<void> => {
      await page.goto(`${site.address}/console${path}`);
    };
    await page.getByRole('table', { name: 'Past incidents' }).waitFor();
    await hold('the list');

    await go(`/pages/${page_id}/incidents/new`);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await hold('a new incident that is not complete');
    await page.getByLabel('Title').fill(LONG);
    await page.getByLabel('Message').fill(LONG);
    if (look === 'on a phone') await page.getByRole('radio', { name: 'Preview' }).check();
    await page.frameLocator('iframe[title="Preview"]').getByRole('heading', { name: LONG }).waitFor();
    await hold('a preview');
    await page.reload();
    await page.getByText('This is the draft that you started earlier.').waitFor();
    await hold('a draft that was kept');

    await go(`/pages/${page_id}/incidents/${running}`);
    await page.getByLabel('Message').fill('Mine.');
    const body = { body: MIRRORED, deliver_notifications: false };
    await site.service.request('PATCH', `/v1/pages/${page_id}/incidents/${running}`, { body });
    await page.getByText('Somebody else published an update in the meantime.').waitFor();
    await hold('what others have published');
    await page.getByRole('button', { name: 'Continue with my draft' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published on the page.').waitFor();
    await hold('a publication that can be taken back');
    await page
      .locator('.timeline li')
      .first()
      .getByRole('button', { name: /^Actions/ })
      .click();
    await hold('what can be done to an update');
    await page.getByRole('button', { name: 'Edit' }).last().click();
    await page.getByRole('dialog').waitFor();
    await hold('an update that is edited');
    await go(`/pages/${page_id}/incidents/${running}?part=components`);
    await page.getByRole('table').waitFor();
    await hold('the course of components');
    await go(`/pages/${page_id}/incidents/${over}?part=postmortem`);
    await page.getByLabel('Postmortem', { exact: true }).waitFor();
    await hold('a postmortem');

    await go('/maintenances?month=2027-02');
    await page.getByRole('heading', { name: 'Planned' }).waitFor();
    await hold('the calendar');
    if (look !== 'on a phone') {
      await page.locator('[data-day="2027-02-03"]').click();
      await page.getByRole('dialog').waitFor();
      await hold('a day of the calendar');
    }
    await go(`/pages/${page_id}/incidents/new?kind=maintenance&day=2027-02-03`);
    await page.getByLabel('Begins').waitFor();
    await hold('a new maintenance');

    await go('/incident-templates');
    await page.getByRole('table').waitFor();
    await hold('the templates');
    await go(`/incident-templates/${template}`);
    await page
      .getByLabel('Add a component …')
      .or(page.getByLabel(/^Status: x/))
      .first()
      .waitFor();
    await hold('a template');
    await go('/incident-templates/000000000000');
    await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
    await hold('a template that is gone');
    assert.equal(found, []);
    await visitor.close();
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
