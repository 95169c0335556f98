/**
 * Takes screenshots of each kind of e-mail with Chromium for visual review: in light and dark mode, narrow and wide.
 *
 * Usage: `node build/test/messages/pictures.js <folder>`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOTICE_EVENTS } from '../../domain/mailing/notice-event.ts';
import { composeConfirmation } from '../../messages/confirmation.ts';
import { composeMail } from '../../messages/mail/compose.ts';
import type { Notice, NoticePage } from '../../messages/notice.ts';
import { openBrowser } from '../e2e/browser.ts';
import { RICH } from './markdown-samples.ts';
import { noticeOf, plainPage, tealPage } from './notices.ts';

const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><circle cx="20" cy="20" r="16" fill="#0f766e"/>' +
    '<text x="46" y="28" font-family="sans-serif" font-size="24" font-weight="700" fill="#134e4a">Acme</text></svg>',
)}`;

const night: NoticePage = {
  ...plainPage,
  name: 'Nightly',
  css_body_background_color: '#0b1020',
  css_font_color: '#e2e8f0',
  css_link_color: '#93c5fd',
  css_button_color: '#7c3aed',
};
const careless: NoticePage = {
  ...plainPage,
  name: 'Careless & Sons',
  css_body_background_color: '#ffff00',
  css_font_color: '#ffffee',
  css_link_color: '#ffff66',
  css_button_color: '#ffffff',
  css_button_text_color: '#eeeeee',
};
const arabic: Partial<Notice> = { body: 'نحقق في تقارير عن بطء في الخدمة.\n\n- قاعدة البيانات' };
const long = {
  id: 'c',
  name: `Storage ${'of a very long name '.repeat(4)}`.trim(),
  status: 'degraded_performance',
} as const;

const mails: Record<string, string> = {
  ...Object.fromEntries(NOTICE_EVENTS.map((event) => [event, composeMail(noticeOf(event)).html])),
  ...Object.fromEntries(
    ['de', 'fr', 'es', 'ru'].map((language) => [
      `reminder-${language}`,
      composeMail(noticeOf('maintenance.reminder', { page: { ...tealPage, language } })).html,
    ]),
  ),
  rich: composeMail(noticeOf('incident.updated', { page: tealPage, body: RICH })).html,
  night: composeMail(noticeOf('incident.updated', { page: night, body: RICH })).html,
  careless: composeMail(noticeOf('incident.updated', { page: careless, body: RICH })).html,
  arabic: composeMail(noticeOf('incident.updated', arabic)).html,
  cut: composeMail(noticeOf('postmortem.published', { postmortem: `${RICH}\n\n`.repeat(30) })).html,
  many: composeMail(noticeOf('incident.created', { components: Array.from({ length: 60 }, () => long) })).html,
  confirmation: composeConfirmation({
    page: tealPage,
    confirmUrl: `https://status.acme.example/subscriptions/confirm?token=${'WyJvcmci'.repeat(12)}`,
    validUntil: '2026-11-27T15:04:05.123000',
  }).html,
};

const folder = process.argv[2] ?? 'pictures';
mkdirSync(folder, { recursive: true });
const browser = await openBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 900]) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 600 } });
    for (const [name, html] of Object.entries(mails)) {
      if (process.argv[3] !== undefined && !process.argv[3].split(',').includes(name)) continue;
      writeFileSync(join(folder, `${name}.html`), html);
      await page.setContent(html.replace('https://cdn.acme.example/logo.svg', LOGO));
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      if (wide !== width) console.error(`${name} is ${String(wide)} px wide on a screen of ${width}`);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    await page.close();
  }
}
await browser.close();
