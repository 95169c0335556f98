import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REPORT_TYPES } from '../../../domain/report/events.ts';
import { bars } from '../../../messages/report/pdf/charts.ts';
import type { Sheet } from '../../../messages/report/pdf/sheet.ts';
import { renderReport } from '../../../messages/report/render.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { contentOf } from './examples.ts';

const test = suite('reports as PDF');

const absent = ['pdftotext', 'pdftoppm'].find((tool) => spawnSync(tool, ['-v']).error !== undefined);
if (absent !== undefined) console.log(`skipped: ${absent} is not installed`);

const EXPECTED = {
  uptime: ['Отчёт за май', 'ООО «Ромашка»', 'Uptime by day', 'Магазин / Оплата', 'Budget left', '99.50 %', 'Outages'],
  response_time: ['Отчёт за май', 'p99, ms', 'API of the shop', '44,640'],
  incidents: ['Сбой оплаты № 11', 'Мы разбираемся с причиной.', 'major impact', 'Всё снова работает.', 'lasts still'],
} as const;

if (absent === undefined) {
  for (const type of REPORT_TYPES) {
    test(
      `a PDF report shows names in any script on numbered pages (${type})`,
      inTemporaryFolder(async (folder) => {
        const file = join(folder, 'report.pdf');
        writeFileSync(file, await renderReport(contentOf(type), 'pdf'));
        const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
        for (const expected of EXPECTED[type]) assert.match(text, expected);
        const pages = text.split('\f').length - 1;
        assert.ok(pages >= 2, `${pages} pages`);
        for (let page = 1; page <= pages; page++) assert.match(text, new RegExp(`\\s${page}\\s*/\\s*${pages}\\s`));
        execFileSync('pdftoppm', ['-r', '40', '-png', file, join(folder, 'page')]);
        const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
        assert.is(pictures.length, pages);
        // The picture of an empty page has about 500 bytes.
        for (const picture of pictures) assert.ok(readFileSync(join(folder, picture)).length > 1_500, picture);
      }),
    );
  }

  test(
    'a PDF report transliterates letters that its font lacks, and replaces emoji by their names',
    inTemporaryFolder(async (folder) => {
      const file = join(folder, 'report.pdf');
      const name = '東京サーバー 서울 مرحبا שלום ไทย नमस्ते ❤️ 🚀 \u202etxt.exe';
      writeFileSync(file, await renderReport({ ...contentOf('uptime'), name }, 'pdf'));
      const text = execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ');
      assert.match(text, 'DongJingsaba SeoUl mrhb slvm aithy नमस्ते :heart: :rocket: txt.exe');
    }),
  );

  test(
    'a PDF report repeats the head of a table on each page, and truncates long texts',
    inTemporaryFolder(async (folder) => {
      const file = join(folder, 'report.pdf');
      writeFileSync(file, await renderReport(contentOf('response_time', { checkCount: 120 }), 'pdf'));
      const pages = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).split('\f').slice(0, -1);
      for (const page of pages) assert.match(page, /Check\s+Runs\s+Average, ms/);
      assert.match(pages.join(''), /Очень длинное название .*…/);
    }),
  );
}

test('a PDF report marks a day that was completely down, and a day without data', () => {
  const rectangles: unknown[] = [];
  const document: object = new Proxy(
    {},
    {
      get: (_, name) => () => {
        if (name === 'rect') rectangles.push(name);
        return document;
      },
    },
  );
  const sheet = { document, y: 0, need: () => false, line: () => undefined } as unknown as Sheet;
  const days = ['2026-05-01', '2026-05-02', '2026-05-03'];
  const chart = { title: '', days, values: [100, 0, null], from: 0, to: 100, label: String, color: String };
  bars(sheet, { ...chart, marksZero: true });
  assert.is(rectangles.length, 3);
  bars(sheet, { ...chart, marksZero: false });
  assert.is(rectangles.length, 5);
});

test.run();
