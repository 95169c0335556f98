import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { alternatesOf } from '../../../../site/pages/feeds/alternates.ts';
import type { PageVisit } from '../../../../site/pages/page-route.ts';

const test = suite('alternate links of a page');

const visitOf = (allow_rss_atom_feeds: boolean): Pick<PageVisit, 'page' | 'root' | 'choices'> => ({
  page: { name: 'Acme', allow_rss_atom_feeds } as PageVisit['page'],
  root: '../',
  choices: { language: 'en', zone: 'local', theme: 'auto' },
});

test('the alternate links of a page are its feeds, the calendar and the summary, with relative URLs', () => {
  assert.equal(alternatesOf(visitOf(true)), [
    { type: 'application/atom+xml', title: 'Acme – Incidents and maintenance', href: '../history.atom' },
    { type: 'application/rss+xml', title: 'Acme – Incidents and maintenance', href: '../history.rss' },
    { type: 'application/atom+xml', title: 'Acme – Updates', href: '../updates.atom' },
    { type: 'application/rss+xml', title: 'Acme – Updates', href: '../updates.rss' },
    { type: 'application/feed+json', title: 'Acme – Incidents and maintenance', href: '../feed.json' },
    { type: 'text/calendar', title: 'Acme – Maintenance calendar', href: '../maintenance.ics' },
    { type: 'application/json', title: 'Acme', href: '../api/v2/summary.json' },
  ]);
});

test('the alternate links of an object on the page begin with the feeds of this object', () => {
  const [first, , , , , sixth] = alternatesOf(visitOf(true), { kind: 'component', id: 'shop', name: 'Shop' });
  assert.equal(
    [first?.href, first?.title, sixth?.href],
    ['../components/shop/history.atom', 'Shop – Incidents and maintenance', '../history.atom'],
  );
});

test('the alternate links contain no feeds if the page disables feeds', () => {
  const types = alternatesOf(visitOf(false), { kind: 'incident', id: 'x', name: 'X' }).map(({ type }) => type);
  assert.equal(types, ['text/calendar', 'application/json']);
});

test.run();
