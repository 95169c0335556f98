import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('fields of past states that are not known');

// The router reads the location when it is loaded, and records visited locations in the history of the browser.
Object.assign(globalThis, { location: { href: 'http://127.0.0.1/console', pathname: '/console', search: '' } });
const { navigate } = await import('../../console/router/router.ts');
const { isUnknown, rememberUnknown, shownState } = await import('../../console/past/past.ts');

const pushState = (_state: unknown, _title: string, href: string): void => {
  const { pathname, search } = new URL(href, 'http://127.0.0.1/');
  Object.assign(globalThis.location, { pathname, search });
};
Object.assign(globalThis, { history: { pushState } });

const show = (path: string): void => {
  navigate(path, { exact: true });
};
const CHECK = '/checks/x4w8b2h7t1zq';

test('a field is unknown only in the state whose response names it', () => {
  show(`${CHECK}?at=2026-11-20T15:01:00`);
  rememberUnknown(shownState.peek(), 'uptime_summary, last_checked_at');
  rememberUnknown(shownState.peek(), 'suspended_reason');
  for (const name of ['uptime_summary', 'last_checked_at', 'suspended_reason']) assert.ok(isUnknown(name, null), name);
  assert.not(isUnknown('last_checked_at', '2026-11-20T15:00:00'));
  show(`${CHECK}?at=2026-11-20T15:01:00&tab=alerts`);
  assert.ok(isUnknown('last_checked_at', null));

  show(`${CHECK}?at=2026-11-20T15:02:00`);
  assert.not(isUnknown('last_checked_at', null));
  rememberUnknown(shownState.peek(), 'suspended_reason');
  assert.not(isUnknown('last_checked_at', null));
  assert.ok(isUnknown('suspended_reason', null));

  show('/groups/x4w8b2h7t1zq?at=2026-11-20T15:02:00');
  assert.not(isUnknown('suspended_reason', null));
});

test('a response that arrives after the screen has changed does not make fields unknown', () => {
  show(`${CHECK}?at=2026-11-20T15:01:00`);
  const before = shownState.peek();
  show(`${CHECK}?at=2026-11-20T15:03:00`);
  rememberUnknown(before, 'last_checked_at');
  assert.not(isUnknown('last_checked_at', null));
  show(CHECK);
  assert.not(isUnknown('last_checked_at', null));
});

test.run();
