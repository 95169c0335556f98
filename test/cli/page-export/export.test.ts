import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exportPage, type ExportOptions } from '../../../cli/page-export/command.ts';
import { createPageExport, pageToExport } from '../../../cli/page-export/export.ts';
import { openExportFolder } from '../../../cli/page-export/folder.ts';
import { linksOf } from '../../../cli/page-export/links.ts';
import { SUBSCRIBER_MODES } from '../../../domain/subscriber/events.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';
import { HOSTILE, startPicturesSite, type PicturesSite } from '../../site/pages/pictures-site.ts';
import { eventually } from '../../waiting.ts';

const test = suite<{ site: PicturesSite; folder: string }>('uptrail pages export');

test.before.each(async (context) => {
  context.site = await startPicturesSite({ domain: 'status.acme.example' });
  context.folder = join(mkdtempSync(join(tmpdir(), 'uptrail-export-')), 'site');
});
test.after.each(async ({ site, folder }) => {
  await site.stop();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const READ_MODELS = ['pages', 'components', 'incidents'];

const exported = async (
  { site, folder }: { site: PicturesSite; folder: string },
  options: Partial<ExportOptions> = {},
  output = collectLines(),
): Promise<string[]> => {
  const { readers, keys, time } = site.service;
  const sources = {
    read: readers.for({ appended: new Map() }),
    keys,
    config: { publicUrl: null, publicDomain: null, plans: null },
    sentModes: new Set(SUBSCRIBER_MODES),
    resultsFrom: () => '2026-01-01T00:00:00.000000',
    clock: () => time.now,
    position: async () => readers.positions(READ_MODELS),
  };
  const { subdomain } = site;
  const signal = new AbortController().signal;
  await exportPage(
    sources,
    { ...{ subdomain, folder, watch: false, includePrivate: false, signal }, ...options },
    output,
  );
  return output.lines;
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** Starts a static web host. It serves `index.html` for a path that ends in a slash, and ignores query strings. */
const staticHost = async (folder: string) => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const file = join(folder, pathname);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory() && !pathname.endsWith('/')) response.writeHead(301, { location: `${pathname}/` }).end();
    else if (found?.isDirectory() && existsSync(join(file, 'index.html')))
      response.end(readFileSync(join(file, 'index.html')));
    else if (found?.isFile()) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, stop: () => new Promise((resolve) => server.close(resolve)) };
};

const incident = (name: string, more: object = {}): object => ({
  ...{ name, status: 'investigating', body: `We look into ${name}.`, components: {} },
  ...more,
});

test('a static host serves the exported page from the folder, and every link in the page works', async (context) => {
  const { site, folder } = context;
  const group = await site.post('/components', { name: 'Storefront', group: true });
  const { id } = await site.post('/components', { name: 'API', group_id: group.id });
  await site.post('/incidents', incident('Checkout fails', { components: { [id]: 'partial_outage' } }));
  const [line = ''] = await exported(context);
  assert.match(line, /^\d+ files in .*: \d+ written, 0 removed\.$/);

  const files = filesIn(folder);
  for (const file of [
    'index.html',
    'range/7d/index.html',
    'badge.svg',
    'badge-uptime.svg',
    `components/${id}/badge.svg`,
  ])
    assert.ok(files.includes(file), file);
  for (const file of ['card.png', 'favicon.svg', 'embed/index.html', 'embed.js', 'manifest.webmanifest', 'robots.txt'])
    assert.ok(files.includes(file), file);
  const host = await staticHost(folder);
  const pages = files.filter((file) => file.endsWith('.html'));
  for (const file of pages) {
    const address = file.replace(/index\.html$/, '');
    const html = await (await fetch(`${host.origin}/${address}`)).text();
    const links = linksOf(html, address);
    assert.ok(links.length > 0);
    for (const link of new Set(links)) {
      assert.not.match(link, /\?/, 'static hosts know no queries');
      assert.is((await fetch(`${host.origin}/${link}`)).status, 200, `${file} → ${link}`);
    }
  }
  await host.stop();
  assert.is(readFileSync(join(folder, 'badge.svg'), 'utf8'), (await site.get('/badge.svg')).text);
  assert.match(readFileSync(join(folder, 'index.html'), 'utf8'), 'Checkout fails');
  assert.match(readFileSync(join(folder, 'index.html'), 'utf8'), 'href="https://status.acme.example/subscribe');
  const searching = '<form class="filters" method="get" action="https://status.acme.example/history">';
  assert.match(readFileSync(join(folder, 'history', 'index.html'), 'utf8'), searching);
  assert.is(statSync(join(folder, 'index.html')).mode & 0o777, 0o644, 'for the web server to read');
});

test('a second export writes only what has changed, and removes stale files', async (context) => {
  const { site, folder } = context;
  const { id } = await site.post('/incidents', incident('Slow'));
  await exported(context);
  assert.ok(existsSync(join(folder, `incidents/${id}/card.png`)));
  assert.match((await exported(context))[0] ?? '', ': 0 written, 0 removed.');
  writeFileSync(join(folder, 'CNAME'), 'status.acme.example');
  assert.is((await site.service.request('DELETE', `/v1/pages/${site.pageId}/incidents/${id}`)).status, 204);
  const [line = ''] = await exported(context);
  assert.match(line, /: [1-9]\d* written, [1-9]\d* removed\.$/);
  assert.not(existsSync(join(folder, 'incidents')), 'nor is there an empty folder');
  assert.is(readFileSync(join(folder, 'CNAME'), 'utf8'), 'status.acme.example', 'what is not ours stays');
});

test('an export replaces and deletes only files that an earlier export has written', async (context) => {
  const { site, folder } = context;
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), 'mine');
  await rejects(exported(context), OperatorError, /index\.html already exists, and no export wrote it/);
  assert.is(readFileSync(join(folder, 'index.html'), 'utf8'), 'mine');
  rmSync(join(folder, 'index.html'));
  await exported(context);
  const outside = join(folder, '..', 'outside');
  writeFileSync(outside, 'theirs');
  const manifest = join(folder, '.uptrail-export.json');
  const listing = JSON.parse(readFileSync(manifest, 'utf8')) as { files: Record<string, string> };
  Object.assign(listing.files, { '../outside': '', '/etc/hostname': '', '.uptrail-export.json/x': '' });
  writeFileSync(manifest, JSON.stringify(listing));
  await exported(context);
  assert.is(readFileSync(outside, 'utf8'), 'theirs');
  const elsewhere = join(folder, '..', 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(folder, 'incidents'));
  await site.post('/incidents', incident('Slow'));
  await rejects(exported(context), OperatorError, /incidents is not a folder/);
  assert.equal(readdirSync(elsewhere), []);
  rmSync(join(folder, 'incidents'));
  writeFileSync(manifest, JSON.stringify({ page_id: 'another00001', files: {} }));
  await rejects(exported(context), OperatorError, /contains the export of another page/);
});

test('an address whose response is 503 is rendered again', async ({ site, folder }) => {
  const read = site.service.readers.for({ appended: new Map() });
  const page = await pageToExport(read, site.subdomain, false);
  const requested: string[] = [];
  const { files } = await createPageExport()({
    page,
    read,
    fetch: async (_, { path }) => {
      const isBusy = path === 'card.png' && !requested.includes(path);
      requested.push(path);
      return { status: isBusy ? 503 : 200, isPage: !path.includes('.'), content: Buffer.from('content') };
    },
    places: { publicUrl: null, publicDomain: null },
    folder: openExportFolder(folder, { pageId: page.id, isPrivate: false }),
    now: site.service.time.now,
  });
  assert.is(requested.filter((path) => path === 'card.png').length, 2);
  assert.ok(files > 1);
  assert.is(readFileSync(join(folder, 'card.png'), 'utf8'), 'content');
});

test('an interrupted export is continued', async (context) => {
  const { folder } = context;
  await exported(context);
  // Simulates a killed export: its files exist, but the manifest does not list them, and one file is incomplete.
  const manifest = join(folder, '.uptrail-export.json');
  const { page_id } = JSON.parse(readFileSync(manifest, 'utf8')) as { page_id: string };
  writeFileSync(manifest, JSON.stringify({ page_id, files: {} }));
  writeFileSync(join(folder, '.uptrail-export.journal'), `${filesIn(folder).join('\n')}\n../outside\n`);
  writeFileSync(join(folder, 'badge.svg'), '<svg');
  await exported(context);
  assert.match(readFileSync(join(folder, 'badge.svg'), 'utf8'), '</svg>');
  assert.not(existsSync(join(folder, '.uptrail-export.journal')));
});

test('names in an exported page are shown as text and do not become file paths', async (context) => {
  const { site, folder } = context;
  for (const hostile of [...HOSTILE, '../../../etc/passwd', 'index.html', 'CON'])
    await site.post('/incidents', incident(hostile.slice(0, 100)));
  await site.post('/components', { name: '../../x' });
  await exported(context);
  for (const file of filesIn(folder)) assert.match(file, /^[A-Za-z0-9._/-]+$/);
  for (const file of filesIn(folder).filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(join(folder, file), 'utf8');
    assert.not.match(html, /<script>|<image|<svg onload/, file);
  }
});

test('a hidden or non-public page is exported only on request, into files that only their owner can read', async (context) => {
  const { site, folder } = context;
  for (const fields of [
    { hidden_from_search: true },
    { viewers_must_be_team_members: true },
    { ip_restrictions: '192.0.2.1' },
  ]) {
    await site.patch('', {
      hidden_from_search: false,
      viewers_must_be_team_members: false,
      ip_restrictions: null,
      ...fields,
    });
    await rejects(exported(context), OperatorError, /--include-private/);
    assert.not(existsSync(folder));
  }
  await exported(context, { includePrivate: true });
  assert.is(statSync(join(folder, 'index.html')).mode & 0o777, 0o600);
  await rejects(exported(context, { subdomain: 'nobody' }), OperatorError, /No page has the subdomain "nobody"/);
});

test('uptrail pages export --watch writes each change, and ends when the page is hidden', async (context) => {
  const { site, folder } = context;
  const stop = new AbortController();
  const output = collectLines();
  const watching = exported(context, { watch: true, signal: stop.signal }, output);
  await eventually(() => output.lines.length === 1);
  const before = statSync(join(folder, 'favicon.svg')).mtimeMs;
  const { id } = await site.post('/incidents', incident('Slow'));
  await eventually(() => output.lines.length === 2);
  assert.ok(existsSync(join(folder, `incidents/${id}/card.png`)));
  assert.is(statSync(join(folder, 'favicon.svg')).mtimeMs, before, 'unchanged content is not written again');
  await site.patch('', { hidden_from_search: true });
  await rejects(watching, OperatorError, /--include-private/);
  stop.abort();
});

test.run();
