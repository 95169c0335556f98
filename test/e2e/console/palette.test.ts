// Own process: a browser stays open for as long as the file runs.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import {
  assertNothingFailed,
  openConsole,
  overflows,
  signInAt,
  signInShown,
  violations,
  type Console,
  type Visitor,
} from './visits.ts';

const test = suite<{ site: Console; ids: Map<string, string>; ann: string }>(
  'the command palette, the keyboard shortcuts and the saved views of the console',
);

/** Name of a check: markup that would run a script if the console did not escape it. */
const HOSTILE = '<img src=x onerror="document.title=\'taken over\'">';
const RIGHT_TO_LEFT = 'متجر-checkout';
const LONG = 'n'.repeat(100);
const CHECKS: readonly [name: string, tags: string[]][] = [
  ['alpha', []],
  ['beta', ['eu']],
  [HOSTILE, []],
  [RIGHT_TO_LEFT, []],
  [LONG, ['eu']],
];

test.before(async (context) => {
  const site = await openConsole();
  context.site = site;
  context.ids = new Map();
  for (const [index, [name, tags]] of CHECKS.entries()) {
    const url = `http://127.0.0.1:9/target-${index}`;
    const body = { name, type: 'web', url, interval: 3_600, tags };
    const reply = await site.service.request('POST', '/v1/checks', { body });
    assert.is(reply.status, 201, reply.text);
    context.ids.set(name, (reply.json() as { id: string }).id);
  }
  context.ann = (await storeUser(site.service, 'ann', 'editor')).id;
  await storeUser(site.service, 'vic', 'viewer');
});
test.after(({ site }) => site.stop());

/** Opens a tab at a path for a signed-in user. */
const tabOf = async (
  site: Console,
  who: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ visitor: Visitor; page: Page }> => {
  const visitor = await site.visit(options);
  const page = await visitor.open(path);
  await signInAt(page, `${who}@example.com`);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { visitor, page };
};

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' });
const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Search and commands' });
const options = (page: Page): Promise<string[]> => paletteOf(page).locator('.option .name').allInnerTexts();

/** Opens the palette with its shortcut, and types a text. */
const find = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('Control+k');
  await fieldOf(page).waitFor();
  await page.keyboard.type(text);
};

const pathOf = (page: Page): string => new URL(page.url()).pathname;

test('the palette finds a check by its name, target or tag, and opens the check', async ({ site, ids }) => {
  // This screen does not load any lists.
  const { visitor, page } = await tabOf(site, 'ann', '/console/nothing');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.keyboard.press('Control+k');
  await fieldOf(page).waitFor();
  assert.ok(await fieldOf(page).evaluate((field) => field === document.activeElement));
  assert.equal(
    requests.filter((path) => /^\/v1\/(?:checks|heartbeats|pages)/.test(path)),
    [],
    'nothing is requested before something is typed',
  );
  await page.keyboard.type('alph');
  await paletteOf(page)
    .getByRole('option', { name: /^alpha/ })
    .waitFor();
  const active = await fieldOf(page).getAttribute('aria-activedescendant');
  assert.ok(await page.locator(`#${active ?? 'none'}[aria-selected="true"]`, { hasText: 'alpha' }).isVisible());
  await page.keyboard.press('Enter');
  await eventually(() => pathOf(page) === `/console/checks/${ids.get('alpha') ?? ''}`);
  assert.is(await paletteOf(page).count(), 0);

  // Enter is pressed immediately after the text was typed, before any results are shown.
  await find(page, 'target-1');
  await page.keyboard.press('Enter');
  await eventually(() => pathOf(page) === `/console/checks/${ids.get('beta') ?? ''}`);

  await find(page, 'eu');
  await paletteOf(page).getByRole('option', { name: /^beta/ }).waitFor();
  await page.keyboard.press('Escape');
  await eventually(async () => (await paletteOf(page).count()) === 0);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the palette opens screens and performs actions, with arrow keys and with touch', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  await find(page, 'chec');
  await eventually(async () => (await options(page))[0] === 'Checks');
  await page.keyboard.press('Enter');
  await eventually(() => pathOf(page) === '/console/checks');
  await page.locator('tr[data-id]').first().waitFor();
  // The shortcut also works while a text field has the focus. The arrow keys wrap around.
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Control+k');
  await fieldOf(page).waitFor();
  await page.keyboard.press('ArrowUp');
  await eventually(() =>
    paletteOf(page)
      .getByRole('option', { name: 'Sign out' })
      .evaluate((option) => option.getAttribute('aria-selected') === 'true'),
  );
  await page.keyboard.press('Control+k');
  await eventually(async () => (await paletteOf(page).count()) === 0);
  assert.ok(await page.getByRole('searchbox').evaluate((field) => field === document.activeElement));
  await page.getByRole('searchbox').blur();

  await find(page, 'dark');
  await page.keyboard.press('Enter');
  await eventually(() => page.evaluate(() => document.documentElement.dataset['theme'] === 'dark'));
  await find(page, 'deutsch');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Prüfungen' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('abmelden');
  await page.getByRole('option', { name: 'Abmelden', exact: true }).click();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  assertNothingFailed(visitor);
  await visitor.close();

  const phone = await tabOf(site, 'ann', '/console', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await phone.page.getByRole('button', { name: 'Search' }).tap();
  await fieldOf(phone.page).fill('bet');
  await phone.page.getByRole('option', { name: /^beta/ }).tap();
  await eventually(() => pathOf(phone.page).startsWith('/console/checks/'));
  assertNothingFailed(phone.visitor);
  await phone.visitor.close();
});

test('the palette shows names verbatim, and offers to filter the list of checks by the typed text', async ({
  site,
  ids,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  await find(page, '<img');
  await eventually(async () => (await options(page)).includes(HOSTILE));
  await fieldOf(page).fill('متجر');
  await eventually(async () => (await options(page)).includes(RIGHT_TO_LEFT));
  await page.keyboard.press('Enter');
  await eventually(() => pathOf(page) === `/console/checks/${ids.get(RIGHT_TO_LEFT) ?? ''}`);
  await find(page, 'no such thing');
  await page.getByRole('option', { name: 'Filter the list of checks by “no such thing”' }).click();
  await page.getByText('No check matches the filter.').waitFor();
  assert.is(new URL(page.url()).searchParams.get('filter'), 'no such thing');
  assert.not.match(await page.title(), 'taken over');
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the palette offers recently opened screens first, and ignores stored links to other sites', async ({
  site,
  ids,
  ann,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  const alpha = `/checks/${ids.get('alpha') ?? ''}`;
  await page.evaluate(
    ([key = '', text = '']) => {
      localStorage.setItem(key, text);
    },
    [
      `uptrail /console ${ann} opened`,
      JSON.stringify([
        { to: 'https://example.com/', name: 'elsewhere' },
        { to: '/checks/x', name: HOSTILE },
        { to: alpha, name: 'alpha' },
      ]),
    ],
  );
  await page.reload();
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  await find(page, '');
  assert.equal((await options(page)).slice(0, 3), [HOSTILE, 'alpha', 'Overview']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually(() => pathOf(page) === `/console${alpha}`);
  assert.not.match(await page.title(), 'taken over');
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the palette offers viewers only what they are allowed to do', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'vic', '/console');
  await find(page, '');
  const offered = await options(page);
  assert.ok(offered.includes('Sign out'));
  assert.equal(
    offered.filter((name) => name.startsWith('New ')),
    [],
  );
  await page.keyboard.press('Escape');
  await eventually(async () => (await paletteOf(page).count()) === 0);
  await page.keyboard.press('i');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  assert.is(await page.getByText('New incident').count(), 0);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the palette starts an incident on the only page, or on the page that the user chooses', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  const createPage = async (name: string): Promise<string> => {
    const reply = await site.service.request('POST', '/v1/pages', { body: { name } });
    assert.is(reply.status, 200, reply.text);
    return (reply.json() as { id: string }).id;
  };
  const only = await createPage('Shop');
  await page.keyboard.press('i');
  await eventually(() => pathOf(page) === `/console/pages/${only}/incidents/new`);
  const other = await createPage(HOSTILE);
  await find(page, 'new incident');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'On which page is the incident?' }).fill('img');
  await page.getByRole('option', { name: HOSTILE }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(() => pathOf(page) === `/console/pages/${other}/incidents/new`);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the help lists the shortcuts of the screen and of all screens, and shortcuts can be turned off', async ({
  site,
}) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await eventually(() => pathOf(page) === '/console/checks');
  await page.locator('tr[data-id]').first().waitFor();
  await page.keyboard.press('?');
  await help.getByText('Select up to here').waitFor();
  await help.getByText('Go to: Overview').waitFor();
  // While the help is open, shortcuts of the screen below have no effect.
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  assert.is(pathOf(page), '/console/checks');
  await page.keyboard.press('Escape');
  await eventually(async () => (await help.count()) === 0);
  // The second key of a sequence has no effect of its own: after `g`, `r` runs no check.
  await page.keyboard.press('j');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await eventually(() => pathOf(page) === '/console');
  assert.is(await page.getByText('The check is running.').count(), 0);

  await page.keyboard.press('?');
  await help.getByLabel('Keyboard shortcuts').uncheck();
  await help.getByText('Shortcuts are switched off.').waitFor();
  await page.keyboard.press('Escape');
  await eventually(async () => (await help.count()) === 0);
  for (const key of ['?', 'g', 'c', 'i', 'Control+k']) await page.keyboard.press(key);
  await page.reload();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const key of ['?', 'g', 'c', 'i', 'Control+k']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Search' }).click();
  await fieldOf(page).waitFor();
  assert.is(await page.getByRole('dialog').count(), 1);
  assert.is(pathOf(page), '/console');
  assertNothingFailed(visitor);
  await visitor.close();
});

test('a shortcut works immediately after the palette or the help is closed', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const isClosed = () => eventually(async () => (await page.getByRole('dialog').count()) === 0);
  // Browsers send the event `close` of a dialog with the next frame. Here, no dialog on the page receives it.
  await page.evaluate(() => {
    addEventListener(
      'close',
      (event) => {
        event.stopImmediatePropagation();
      },
      { capture: true },
    );
  });
  await find(page, '');
  await page.keyboard.press('Escape');
  await isClosed();
  await page.keyboard.press('?');
  await help.waitFor();
  await page.keyboard.press('Escape');
  await isClosed();
  await page.keyboard.press('?');
  await help.getByRole('button', { name: 'Close' }).click();
  await isClosed();
  await find(page, 'checks');
  await page.keyboard.press('Enter');
  await eventually(() => pathOf(page) === '/console/checks');

  // The event of the first palette arrives while the second is open, and does not close it.
  await find(page, '');
  const first = await page.locator('dialog.palette').elementHandle();
  await page.keyboard.press('Control+k');
  await isClosed();
  await find(page, '');
  await first.evaluate((dialog) => dialog.dispatchEvent(new Event('close')));
  assert.is(await paletteOf(page).count(), 1);
  assertNothingFailed(visitor);
  await visitor.close();
});

const menuOf = async (page: Page) => {
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  return page.locator('.actions-menu:popover-open');
};
const namesOf = (page: Page): Promise<string[]> => page.locator('tr[data-id] th a').allInnerTexts();

test('views of the check list are saved by name, survive a reload, and belong to one user', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console/checks?filter=tag:eu');
  await eventually(async () => (await namesOf(page)).length === 2);
  await (await menuOf(page)).getByRole('button', { name: 'Save this filter …' }).click();
  const save = page.getByRole('dialog', { name: 'Save the filter as a view' });
  await save.getByRole('button', { name: 'Save' }).click();
  await save.getByText('Enter a name.').waitFor();
  await save.getByLabel('Name').fill(HOSTILE);
  await save.getByLabel('Open the list with this view').check();
  await page.keyboard.press('Enter');
  await eventually(async () => (await save.count()) === 0);

  await page.reload();
  await eventually(async () => (await namesOf(page)).length === 2);
  await (await menuOf(page)).getByRole('link', { name: 'Everything' }).click();
  await eventually(async () => (await namesOf(page)).length === CHECKS.length);
  assert.is(new URL(page.url()).search, '?filter=');
  // The list opens with the default view, and the URL contains its filter.
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Checks', exact: true }).click();
  await eventually(async () => (await namesOf(page)).length === 2);
  assert.is(new URL(page.url()).searchParams.get('filter'), 'tag:eu');

  await (await menuOf(page)).getByRole('button', { name: 'Manage views …' }).click();
  const manage = page.getByRole('dialog', { name: 'Views' });
  await manage.getByRole('textbox').fill('Europe');
  await page.keyboard.press('Enter');
  await manage.getByRole('button', { name: 'Default: Europe', pressed: true }).waitFor();
  await manage.getByRole('button', { name: 'Delete: Europe' }).click();
  await manage.getByText('The view was deleted.').waitFor();
  await page.keyboard.press('Enter');
  await manage.getByRole('button', { name: 'Default: Europe' }).waitFor();
  await manage.getByRole('button', { name: 'Close' }).click();
  assert.is(await (await menuOf(page)).getByRole('link', { name: 'Europe' }).count(), 1);
  await page.keyboard.press('Escape');

  // The view was stored for this user only. Invalid stored data is ignored.
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => one.endsWith('views of checks'));
    if (key !== undefined) localStorage.setItem(key, '{"views":[{"name":7}');
  });
  await page.reload();
  await page.locator('tr[data-id]').first().waitFor();
  assert.is(await (await menuOf(page)).getByRole('link', { name: 'Europe' }).count(), 0);
  assert.not.match(await page.title(), 'taken over');
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the palette works if the browser can’t store anything', async ({ site }) => {
  const visitor = await site.visit();
  await visitor.context.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  const page = await visitor.open('/console/checks?filter=tag:eu');
  await signInAt(page, 'ann@example.com');
  await page.locator('tr[data-id]').first().waitFor();
  await (await menuOf(page)).getByRole('button', { name: 'Save this filter …' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Europe');
  await page.keyboard.press('Enter');
  assert.is(await (await menuOf(page)).getByRole('link', { name: 'Europe' }).count(), 1);
  await page.keyboard.press('Escape');
  await find(page, 'alpha');
  await paletteOf(page)
    .getByRole('option', { name: /^alpha/ })
    .waitFor();
  assertNothingFailed(visitor);
  await visitor.close();
});

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

for (const [look, contextOptions] of Object.entries(LOOKS))
  test(`the palette is accessible and fits on the screen in every state (${look})`, async ({ site }) => {
    const { visitor, page } = await tabOf(site, 'ann', '/console/checks?filter=tag:eu', contextOptions);
    const found: string[] = [];
    const hold = async (title: string): Promise<void> => {
      found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      if (await overflows(page)) found.push(`${title}: it can be scrolled sideways`);
    };
    await page.locator('tr[data-id]').first().waitFor();
    await page.keyboard.press('Control+k');
    await fieldOf(page).waitFor();
    await hold('the palette');
    await fieldOf(page).fill('target');
    await eventually(async () => (await options(page)).includes(LONG));
    await hold('what it finds');
    await page.route('**/v1/checks/overview?*', (route) => route.fulfill({ status: 503, body: 'Bad gateway' }));
    await fieldOf(page).fill('other');
    await paletteOf(page).getByText('503').waitFor();
    await hold('a failure');
    await page.unroute('**/v1/checks/overview?*');
    await page.keyboard.press('Escape');
    await eventually(async () => (await paletteOf(page).count()) === 0);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await hold('the help');
    await page.keyboard.press('Escape');
    await eventually(async () => (await page.getByRole('dialog').count()) === 0);
    await (await menuOf(page)).getByRole('button', { name: 'Save this filter …' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(LONG.slice(0, 60));
    await hold('a new view');
    await page.keyboard.press('Enter');
    const menu = await menuOf(page);
    await hold('the views');
    await menu.getByRole('button', { name: 'Manage views …' }).click();
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await hold('managed views');
    await visitor.close();
    assert.equal(found, []);
  });

test('the palette closes when the session ends', async ({ site }) => {
  const { visitor, page } = await tabOf(site, 'ann', '/console');
  const other = await visitor.open('/console');
  await find(page, 'alp');
  await other.getByRole('button', { name: /^Account/ }).click();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await signInShown(page);
  assert.is(await paletteOf(page).count(), 0);
  await signInAt(page, 'ann@example.com');
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  assert.is(await paletteOf(page).count(), 0);
  await find(page, '');
  await visitor.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
