import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { durationText } from '../../../messages/duration.ts';
import { reportMail } from '../../../messages/report/mail.ts';
import { renderReport } from '../../../messages/report/render.ts';
import { contentOf } from './examples.ts';

const test = suite('reports as JSON, CSV and e-mail');

test('a JSON report contains daily figures for each check', async () => {
  const file = await renderReport(contentOf('uptime', { checkCount: 2 }), 'json');
  const report = JSON.parse(Buffer.from(file).toString('utf8')) as {
    days: object[];
    checks: { name: string; days: object[] }[];
  };
  assert.is(report.checks[0]?.name, 'Интернет-магазин: главная страница');
  assert.equal(report.checks[0]?.days[1], {
    day: '2026-05-02',
    uptime_percentage: 100,
    total_checks: 1_440,
    average_response_time: 137,
    p95: 303,
  });
  assert.is(report.days.length, 31);
});

test('a CSV report is a single table without cells that spreadsheets treat as formulas', async () => {
  const text = Buffer.from(await renderReport(contentOf('incidents', { checkCount: 4 }), 'csv')).toString('utf8');
  assert.ok(text.startsWith('\uFEFFsection,id,name,'));
  assert.ok(text.endsWith('\r\n'));
  assert.ok(text.includes(`\r\ncheck,check0000003,"'=HYPERLINK(""http://example.com"")",`));
  assert.not.match(text, /(?:^|,)"?=/m);
  for (const section of ['summary', 'check_day', 'outage', 'incident', 'maintenance', 'update']) {
    assert.match(text, `\r\n${section},`);
  }
});

test('a report names the tag that it covers', async () => {
  const content = { ...contentOf('uptime'), tag: 'team:shop' };
  const textOf = async (format: 'json' | 'csv'): Promise<string> =>
    Buffer.from(await renderReport(content, format)).toString('utf8');
  assert.is((JSON.parse(await textOf('json')) as { tag: string }).tag, 'team:shop');
  assert.match(await textOf('csv'), /\r\nsummary,.*tag team:shop, UTC/);
});

test('the e-mail of a report contains its figures, and a link with the expiry time', () => {
  const content = contentOf('uptime');
  const { subject, text, html } = reportMail({
    report: { ...content, name: 'May <b>', format: 'pdf' },
    summary: content.summary,
    organization: 'Acme & Co',
    link: { url: 'https://status.example.org/v1/artifacts/x?token=y', until: '2026-06-30T10:00:00.000000' },
  });
  assert.is(subject, 'May <b>: May 1 – 31, 2026');
  assert.match(text, 'Uptime: 99.75 %');
  assert.match(text, 'Target of 99.9 %: missed by 30');
  assert.match(text, 'Report (PDF): https://status.example.org/v1/artifacts/x?token=y');
  assert.match(text, 'until Jun 30, 2026');
  assert.match(html, 'May &lt;b&gt;');
  assert.match(html, 'Acme &amp; Co');
});

test('a report does not say that the uptime target was met if nothing was measured', () => {
  const { summary, ...content } = contentOf('uptime');
  const report = { ...content, format: 'pdf' as const };
  const textOf = (measured: { uptime_percentage: number | null; below_target: number }): string =>
    reportMail({ report, summary: { ...summary, ...measured }, organization: 'Acme', link: null }).text;
  assert.match(textOf({ uptime_percentage: null, below_target: 0 }), 'Target of 99.9 %: –');
  assert.match(textOf({ uptime_percentage: 100, below_target: 0 }), 'Target of 99.9 %: met by all');
});

test('a report shows durations in their two largest units', () => {
  assert.equal([0, 59, 3_600, 7_500, 90_061, -80].map(durationText), [
    '0 s',
    '59 s',
    '1 h',
    '2 h 5 min',
    '1 d 1 h',
    '−1 min 20 s',
  ]);
});

test.run();
