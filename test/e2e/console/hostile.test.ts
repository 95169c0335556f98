// Own process: a browser stays open for as long as the file runs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { noBrowser } from '../browser.ts';
import { fillOrganization, screensOf } from './organization.ts';
import { openConsole, settling, signInAt, type Console } from './visits.ts';

const test = suite<{ site: Console }>('hostile texts in the console');

test.before(async (context) => {
  context.site = await openConsole();
});
test.after(({ site }) => site.stop());

/** Texts that would run a script if any part became markup, a URL or an event handler. */
const ATTACKS = [
  '<img src=x onerror="window.attacked=1">',
  '"><svg onload=window.attacked=1>',
  "'-(window.attacked=1)-'",
  'javascript:window.attacked=1',
  '</script><script>window.attacked=1</script>',
  '{{constructor.constructor("window.attacked=1")()}}',
];

test('hostile texts are shown as text on every screen, and run no scripts', async ({ site }) => {
  let count = 0;
  const ids = await fillOrganization(site, (what) => `${what} ${ATTACKS[count++ % ATTACKS.length] ?? ''}`);
  await storeUser(site.service, 'ann', 'admin');
  const visitor = await site.visit();
  const page = await visitor.open('/console');
  await signInAt(page, 'ann@example.com');
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  const settle = settling(page);
  for (const path of screensOf(ids)) {
    await page.goto(`${site.address}/console${path}`);
    await page.locator('main h1').first().waitFor();
    await settle();
    assert.is(await page.evaluate(() => 'attacked' in window), false, path);
    const links = await page.locator('a[href]').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    assert.equal(
      links.filter((link) => !/^(?:https?|mailto|tel|blob):/.test(link)),
      [],
      path,
    );
  }
  // Some screens show objects that do not exist, so failed requests are expected.
  assert.equal(
    visitor.complaints.filter((complaint) => !/^4\d\d /.test(complaint)),
    [],
  );
  await visitor.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
