import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import { PAGE_LANGUAGES, type PageLanguage } from '../../../messages/words/languages.ts';
import { noBrowser } from '../browser.ts';
import { makePage } from './sample.ts';
import { openSite, type Site } from './visits.ts';

const test = suite<{ site: Site; addresses: string[] }>('languages of status pages');

/** Creates a page whose names are words of no language. */
test.before(async (context) => {
  context.site = await openSite();
  const page = await makePage(context.site.call, { name: 'Xqz', subdomain: 'xqz', show_edits: true });
  const group = await page.group('Qwv');
  const shop = await page.component('Kxj', { group_id: group });
  const other = await page.component('Zvk', { description: 'Vvq' });
  const incident = await page.incident({
    name: 'Wqk',
    status: 'investigating',
    body: 'Jjq',
    components: { [shop]: 'partial_outage', [other]: 'degraded_performance' },
  });
  const update = await page.update(incident, { status: 'identified', body: 'Zzk' });
  const updates = `${page.path}/incidents/${incident}/incident_updates`;
  await context.site.call('PATCH', `${updates}/${update.id}`, { body: 'Zzq' });
  const texts = ['Kkz', 'Kkq', 'Kkj'] as const;
  await page.past({
    name: 'Qqz',
    impact: 'critical',
    component: shop,
    status: 'major_outage',
    from: 50,
    length: 3,
    texts,
  });
  const maintenance = await page.incident({
    name: 'Vkq',
    status: 'scheduled',
    body: 'Vkz',
    scheduled_for: new Date(Date.now() + 3_600_000).toISOString(),
    scheduled_until: new Date(Date.now() + 7_200_000).toISOString(),
    components: { [shop]: 'under_maintenance' },
  });
  context.addresses = [
    '',
    `incidents/${incident}`,
    `maintenances/${maintenance}`,
    `components/${shop}`,
    `groups/${group}`,
    'history',
    'history?q=Wqk',
    'incidents/nothing',
  ].map((path) => context.site.at('xqz', path));
});
test.after(({ site }) => site.stop());

/** Returns all strings of a dictionary. Functions are called with some numbers. */
const textsOf = (words: unknown): string[] => {
  if (typeof words === 'string') return [words];
  if (typeof words === 'function')
    return [1, 3, 7].map((count) => String((words as (...of: number[]) => unknown)(count, 7, 9)));
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(textsOf) : [];
};

const tokens = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** Returns every word that pages can show in a language. */
const vocabulary = (language: PageLanguage): Set<string> => {
  const { componentStatus, pageStatus, incidentStatus, impact } = wordsFor(language);
  const { poweredBy, ...words } = pageWordsFor(language);
  const dates = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 1 + month * 2));
  const shown = [
    ...(['long', 'short'] as const).flatMap((style) =>
      dates.map((date) =>
        new Intl.DateTimeFormat(language, { weekday: style, month: style, day: 'numeric' }).format(date),
      ),
    ),
    ...(['day', 'hour', 'minute', 'second'] as const).flatMap((unit) => [
      new Intl.RelativeTimeFormat(language, { style: 'short' }).format(-3, unit),
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(3),
    ]),
  ];
  const texts = textsOf([words, poweredBy, componentStatus, pageStatus, incidentStatus, impact]);
  return new Set([...texts, ...shown].flatMap(tokens));
};

/** Returns the text of a page, both visible and for screen readers. */
const readableText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    // The language selection names each language in that language, so it is removed.
    for (const option of document.querySelectorAll('option[lang]')) option.remove();
    const attributes = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'];
    const received = attributes.flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name)),
    );
    return [document.title, document.body.innerText, ...received].join('\n');
  });

for (const language of PAGE_LANGUAGES)
  test(`status pages in ${language} contain no words of another language`, async ({ site, addresses }) => {
    const own = vocabulary(language);
    const foreign = new Set(
      PAGE_LANGUAGES.filter((other) => other !== language).flatMap((other) => [...vocabulary(other)]),
    );
    const { page, close } = await site.visit();
    for (const address of addresses) {
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${language}`);
      assert.is(await page.locator('html').getAttribute('lang'), language);
      const wrong = tokens(await readableText(page)).filter((word) => foreign.has(word) && !own.has(word));
      assert.equal([...new Set(wrong)], [], address);
    }
    await close();
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
