import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inProject } from '../../project.ts';
import { startPublishedSite } from '../../site/pages/published-site.ts';
import { installFromPyPi } from './installing.ts';

const test = suite('Python parsers of feeds and calendars');

const parsers = await installFromPyPi('feedparser==6.0.12', 'icalendar==6.3.1', 'lxml==6.0.2');
const site = await startPublishedSite();
test.after(async () => {
  await site.stop();
  if ('remove' in parsers) await parsers.remove();
});

const HOSTILE = `]]>]]>\u0007 <script>alert(1)</script> &amp; "x", y; é\u{1f600} ${'long '.repeat(20)}`;

interface Seen {
  titles: string[];
  times: unknown[];
  errors: string[];
}

if ('missing' in parsers) console.log(`skipped: ${parsers.missing}`);
else {
  test('Python parsers read the feeds and the calendar of a status page without complaints, even with hostile texts, and the Atom feed is valid by RFC 4287', async () => {
    const { id } = await site.incident({ name: HOSTILE, body: HOSTILE });
    await site.update(id, { status: 'resolved', body: `# Fixed\n\n${HOSTILE}` });
    await site.incident({
      name: HOSTILE,
      status: 'scheduled',
      scheduled_for: '2026-11-29T02:00:00Z',
      scheduled_until: '2026-11-29T03:00:00Z',
    });
    const files = join(parsers.folder, 'files');
    await mkdir(files);
    const names = ['history.atom', 'history.rss', 'updates.atom', 'updates.rss', 'maintenance.ics'];
    for (const name of names) await writeFile(join(files, name), (await site.get(name)).text);
    const { stdout } = await promisify(execFile)(join(parsers.folder, 'bin', 'python'), [
      inProject('test/e2e/pages/parsers.py'),
      files,
      inProject('test/e2e/pages/atom.rng'),
    ]);
    const seen = JSON.parse(stdout) as Record<string, Seen>;
    const countOf = (name: string): number => seen[name]?.titles.length ?? 0;
    assert.equal(names.map(countOf), [2, 2, 3, 3, 1]);
    for (const name of names) assert.equal(seen[name]?.errors, [], name);
    assert.equal(seen['maintenance.ics']?.times, ['2026-11-29T02:00:00+00:00']);
    assert.match(seen['maintenance.ics']?.titles[0] ?? '', '<script>alert(1)</script> &amp; "x", y; é\u{1f600}');
    assert.equal(seen['updates.rss']?.times, [...(seen['updates.rss']?.times ?? [])].sort().reverse());
  });
}

test.run();
