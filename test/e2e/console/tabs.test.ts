// Own process: a browser stays open for as long as the file runs.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeUser } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import {
  assertNothingFailed,
  openConsole,
  signInAt,
  signInShown,
  signOutAt,
  type Console,
  type Visitor,
} from './visits.ts';

const test = suite<{ site: Console; id: string }>('several tabs of one browser');

test.before(async (context) => {
  const site = await openConsole();
  context.site = site;
  const body = { name: 'alpha', type: 'web', url: 'http://127.0.0.1:9/alpha', interval: 3_600, active: false };
  const reply = await site.service.request('POST', '/v1/checks', { body });
  assert.is(reply.status, 201, reply.text);
  context.id = (reply.json() as { id: string }).id;
  await storeUser(site.service, 'ann', 'editor');
  await storeUser(site.service, 'ed', 'editor');
});
test.after(({ site }) => site.stop());

/** A tab, and the number of its open event streams. */
interface Tab {
  page: Page;
  streams: () => number;
}

/** Opens tabs for a signed-in user, all on the check list. */
const openTabs = async (visitor: Visitor, count: number): Promise<Tab[]> => {
  const streams = new Map<Page, number>();
  visitor.context.on('page', (page) => {
    const count = (difference: number) => (request: { url: () => string }) => {
      if (!request.url().endsWith('/v1/events')) return;
      streams.set(page, (streams.get(page) ?? 0) + difference);
    };
    page.on('request', count(1));
    page.on('requestfinished', count(-1));
    page.on('requestfailed', count(-1));
  });
  const first = await visitor.open('/console/checks');
  await signInAt(first, 'ann@example.com');
  await first.getByRole('button', { name: /^Account/ }).waitFor();
  const others = await Promise.all(Array.from({ length: count - 1 }, () => visitor.open('/console/checks')));
  return [first, ...others].map((page) => ({ page, streams: () => streams.get(page) ?? 0 }));
};

/** Waits until exactly one of the tabs has an event stream. @returns this tab */
const leaderOf = async (tabs: readonly Tab[]): Promise<Tab> => {
  await eventually(() => tabs.reduce((sum, { streams }) => sum + streams(), 0) === 1);
  return tabs.find(({ streams }) => streams() === 1) as Tab;
};

const rowOf = ({ page }: Tab) => page.locator('tr[data-id]', { hasText: 'alpha' });
const showPaused = (tabs: readonly Tab[]): Promise<unknown> =>
  Promise.all(tabs.map((tab) => rowOf(tab).locator('td.message', { hasText: 'paused' }).waitFor()));
const showRunning = (tabs: readonly Tab[]): Promise<unknown> =>
  Promise.all(
    tabs.map(async (tab) => {
      await rowOf(tab).waitFor();
      await rowOf(tab).locator('td.message', { hasText: 'paused' }).waitFor({ state: 'detached' });
    }),
  );
/** Pauses or resumes the check with the buttons of the list. */
const press = async ({ page }: Tab, name: 'Pause' | 'Resume'): Promise<void> => {
  const checkbox = rowOf({ page, streams: () => 0 }).getByRole('checkbox');
  if (!(await checkbox.isChecked())) await checkbox.click();
  await page.getByRole('button', { name, exact: true }).click();
};

/** Pretends that a tab is hidden or visible. A headless browser reports all tabs as visible. */
const setVisibility = ({ page }: Tab, state: DocumentVisibilityState): Promise<void> =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

for (const locks of [true, false])
  test(`nine tabs of a browser ${locks ? 'with' : 'without'} locks share one event stream, even after the tab with the stream is closed`, async ({
    site,
  }) => {
    const visitor = await site.visit();
    // Browsers offer the Web Locks API only on https and on localhost, so it is removed here.
    if (!locks) await visitor.context.addInitScript('delete Navigator.prototype.locks');
    const tabs = await openTabs(visitor, 9);
    await showPaused(tabs);
    const leader = await leaderOf(tabs);
    const [one, other, ...rest] = tabs.filter((tab) => tab !== leader) as [Tab, Tab, ...Tab[]];
    await press(one, 'Resume');
    await showRunning(tabs);
    await press(other, 'Pause');
    await showPaused(tabs);
    await press(leader, 'Resume');
    await showRunning(tabs);

    await leader.page.close();
    const left = [one, other, ...rest];
    await press(one, 'Pause');
    await showPaused(left);
    assert.not.equal(await leaderOf(left), leader);
    assertNothingFailed(visitor);
    await visitor.close();
  });

test('a hidden tab has no event stream, and catches up when it is shown again', async ({ site }) => {
  const visitor = await site.visit();
  const tabs = await openTabs(visitor, 2);
  await showPaused(tabs);
  const hidden = await leaderOf(tabs);
  const [other] = tabs.filter((tab) => tab !== hidden) as [Tab];
  await setVisibility(hidden, 'hidden');
  assert.is(await leaderOf([other]), other);
  assert.is(await leaderOf(tabs), other);
  await press(other, 'Resume');
  await showRunning([other]);
  await setVisibility(other, 'hidden');
  await eventually(() => tabs.every(({ streams }) => streams() === 0));
  await showPaused([hidden]);

  await setVisibility(hidden, 'visible');
  await showRunning([hidden]);
  await press(hidden, 'Pause');
  await showPaused([hidden]);
  await setVisibility(other, 'visible');
  await showPaused(tabs);
  // The most recently shown tab has the stream, and the other tab still receives changes.
  assert.is(await leaderOf(tabs), other);
  await press(other, 'Resume');
  await showRunning(tabs);
  await press(hidden, 'Pause');
  await showPaused(tabs);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('all tabs report stale data while the tab with the event stream receives nothing', async ({ site }) => {
  const visitor = await site.visit();
  const tabs = await openTabs(visitor, 3);
  await showPaused(tabs);
  const leader = await leaderOf(tabs);
  const left = tabs.filter((tab) => tab !== leader);
  await visitor.context.route('**/v1/events', (route) => route.abort());
  await leader.page.close();
  await Promise.all(left.map(({ page }) => page.getByText(/^Reconnecting, last/).waitFor()));
  const [one] = left as [Tab];
  await press(one, 'Resume');
  await visitor.context.unroute('**/v1/events');
  await showRunning(left);
  await Promise.all(left.map(({ page }) => page.getByText(/^Reconnecting, last/).waitFor({ state: 'detached' })));
  await visitor.close();
});

test('a sign-out or sign-in in one tab applies to every tab', async ({ site }) => {
  const visitor = await site.visit();
  const tabs = await openTabs(visitor, 3);
  await showRunning(tabs);
  const leader = await leaderOf(tabs);
  await signOutAt(leader.page);
  await Promise.all(tabs.map(({ page }) => signInShown(page)));
  await eventually(() => tabs.every(({ streams }) => streams() === 0));
  assertNothingFailed(visitor);
  const [one, other] = tabs as [Tab, Tab];
  await signInAt(one.page, 'ed@example.com');
  await showRunning(tabs);
  await leaderOf(tabs);
  await press(other, 'Pause');
  await showPaused(tabs);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('a reloaded tab in a browser without locks opens the event stream immediately, because it removed its entry on unloading', async ({
  site,
}) => {
  const visitor = await site.visit();
  await visitor.context.addInitScript('delete Navigator.prototype.locks');
  await visitor.context.addInitScript(() => {
    Object.assign(window, { marksAtStart: Object.keys(localStorage).filter((key) => key.includes(' live ')) });
  });
  const [tab] = (await openTabs(visitor, 1)) as [Tab];
  const marks = (name: string): Promise<unknown> => tab.page.evaluate(name);
  await showPaused([tab]);
  const own = await marks("Object.keys(localStorage).filter((key) => key.includes(' live '))");
  assert.is((own as string[]).length, 1);
  await tab.page.reload();
  await showPaused([tab]);
  assert.equal(await marks('marksAtStart'), []);
  await leaderOf([tab]);
  assertNothingFailed(visitor);
  await visitor.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
