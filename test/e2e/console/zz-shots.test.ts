// Own process: a browser stays open for as long as the file runs.
import { suite } from 'uvu';
import { personIn } from '../../api/v1/sign-in/person.ts';
import { openConsole, signInAt } from './visits.ts';
const test = suite('shots');
test('shots', async () => {
  const site = await openConsole();
  await personIn(site.service, 'ann', 'admin');
  const post = async (path: string, body: object): Promise<string> => ((await site.service.request('POST', path, { body })).json() as { id: string }).id;
  const id = await post('/v1/pages', { name: 'Acme', subdomain: 'acme', headline: 'How Acme is doing', time_zone: 'Europe/Berlin' });
  await post('/v1/pages', { name: 'Acme staff '.repeat(9), subdomain: 'staff', viewers_must_be_team_members: true, hidden_from_search: true, domain: 'status.staff.example' });
  await post('/v1/pages', { name: 'مرحبا Acme', subdomain: 'rtl' });
  const check = await post('/v1/checks', { name: 'shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 3600 });
  const g = await post(`/v1/pages/${id}/components`, { name: 'Storefront', group: true });
  await post(`/v1/pages/${id}/components`, { name: 'Web shop', group_id: g, check_id: check, show_response_times: true });
  await post(`/v1/pages/${id}/components`, { name: 'Checkout', group_id: g, status: 'partial_outage', check_tag: 'team:shop' });
  await post(`/v1/pages/${id}/components`, { name: 'x'.repeat(100), only_show_if_degraded: true, showcase: false });
  await post(`/v1/pages/${id}/components`, { name: 'Back office', group: true });
  await post(`/v1/pages/${id}/email-domain/records`, { domain: 'acme.example', from_email: 'status@acme.example' });
  await post(`/v1/pages/${id}/passwords`, { name: 'Partners', password: 'three quiet herons', password_hint: 'The letter' });
  for (const [i, mode] of ['ida', 'olga', 'ivan'].entries()) await post(`/v1/pages/${id}/subscribers`, { mode: 'email', email: `${mode}@example.com`, skip_confirmation_notification: i > 0 });
  await post(`/v1/pages/${id}/subscribers`, { mode: 'webhook', endpoint: 'https://hooks.example.com/status' });
  const looks = { light: { colorScheme: 'light' as const, viewport: { width: 1360, height: 900 } }, dark: { colorScheme: 'dark' as const, viewport: { width: 1360, height: 900 } }, phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } };
  for (const [look, options] of Object.entries(looks)) {
    if (process.env['LOOK'] && process.env['LOOK'] !== look) continue;
    const visitor = await site.visit(options);
    const page = await visitor.open(`/console/pages`);
    await signInAt(page, 'ann@example.com');
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    for (const [name, path] of [['list', ''], ['new', '/new'], ['components', `/${id}`], ['appearance', `/${id}/appearance`], ['settings', `/${id}/settings`], ['domain', `/${id}/domain`], ['email', `/${id}/email`], ['passwords', `/${id}/passwords`], ['subscribers', `/${id}/subscribers`], ['search', `/${id}/subscribers?q=olga%40example.com`]]) {
      await page.goto(`${site.address}/console/pages${path ?? ''}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeleton').waitFor({ state: 'detached' });
      if (name === 'appearance') await page.locator('.rendered iframe.loaded').waitFor();
      await page.screenshot({ path: `/tmp/shots-pages/${look}-${name ?? ''}.png`, fullPage: name !== 'appearance' || look === 'phone' });
    }
    console.log(visitor.complaints);
    await visitor.close();
  }
  await site.stop();
});
test.run();
