import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  hostedAddressOf,
  exportedPath,
  isSafe,
  monthAddresses,
  pageAddressOf,
} from '../../../cli/page-export/files.ts';
import { linksOf, rewriteLinks } from '../../../cli/page-export/links.ts';

const test = suite('the files of an exported page');

const pathOf = (address: string): string => exportedPath(pageAddressOf(address));

test('the exported path of an address depends on query parameters that select content, and ignores all others', () => {
  assert.is(pathOf('history?month=2026-11&component=x'), 'history/2026-11');
  assert.is(pathOf('history?month=../../x'), 'history');
  assert.is(pathOf('?range=7d'), 'range/7d');
  assert.is(pathOf('groups/x?range=7d'), 'groups/x/range/7d');
  assert.is(pathOf('incidents/x?page=2'), 'incidents/x/page/2');
  assert.is(pathOf('badge.svg?metric=uptime&style=flat'), 'badge-uptime.svg');
  assert.is(pathOf('components/x/badge.svg?metric=response_time'), 'components/x/badge-response_time.svg');
  assert.is(pathOf('incidents/x?lang=de'), 'incidents/x');
  assert.equal(['', 'history/2026-11', 'feed.json'].map(hostedAddressOf), ['', 'history/2026-11/', 'feed.json']);
});

test('no exported path leaves the folder or is hidden', () => {
  for (const path of ['..', 'a/../b', '/a', 'a//b', 'a/', '.a', 'a/.b', 'a\\b', 'a b', 'a%2fb', 'ä', 'x'.repeat(200)])
    assert.not(isSafe(path), path);
  for (const path of ['index.html', 'api/v2/incidents/unresolved.json', 'assets/status-7K3Q.css'])
    assert.ok(isSafe(path));
});

test('the exported months are listed from the newest to the first, up to a limit', () => {
  assert.equal(monthAddresses('2025-12', '2026-02', 10), [
    'history?month=2026-02',
    'history?month=2026-01',
    'history?month=2025-12',
  ]);
  assert.is(monthAddresses('0001-01', '2026-02', 240).length, 240);
});

test('links of an exported page lead to exported files if they exist, otherwise to the service, and external links do not change', () => {
  const fileOf = (path: string) =>
    ({ '': 'index.html', 'incidents/y': 'incidents/y/index.html', 'feed.json': 'feed.json' })[path] ?? null;
  const page = (link: string): string => `<a class="x > y" href="${link}">href="${link}"</a>`;
  const leads = (link: string, service: string | null = 'https://s.example'): string | undefined =>
    /href="([^"]*)"/.exec(rewriteLinks(page(link), 'incidents/x/index.html', fileOf, service))?.[1];
  assert.is(leads('../../'), '../../');
  assert.is(leads('../../incidents/y'), '../../incidents/y/');
  assert.is(leads('../../incidents/y?lang=de#top'), '../../incidents/y/#top');
  assert.is(leads('../../feed.json'), '../../feed.json');
  assert.is(leads('../../subscribe?incident=x&amp;a=b'), 'https://s.example/subscribe?incident=x&amp;a=b');
  assert.is(leads('../../subscribe', null), '../../');
  for (const link of ['https://acme.example/', '//acme.example', '#top', 'mailto:a@b.example', 'javascript:x'])
    assert.is(leads(link), link);
  assert.match(
    rewriteLinks(page('../../subscribe'), 'incidents/x/index.html', fileOf, null),
    '>href="../../subscribe"<',
    'text stays',
  );
  assert.equal(linksOf(page('../y?a=b'), 'incidents/x/'), ['incidents/y?a=b']);
});

test('forms of an exported page lead to the service, even if a file was exported for their address', () => {
  const form = '<form method="get" action="../history">';
  const fileOf = (path: string) => (path === 'history' ? 'history/index.html' : null);
  assert.is(
    rewriteLinks(form, 'history/index.html', fileOf, 'https://s.example'),
    '<form method="get" action="https://s.example/history">',
  );
});

test.run();
