/**
 * `npm run screenshots [-- part of a name …]`: starts the program with sample pages and writes pictures of them to
 * `docs/status-page/pictures/`, which README.md and docs/status-page/pages.md show. Chromium has to be installed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fillSamples } from '../e2e/status-page/sample.ts';
import { openSite } from '../e2e/status-page/visits.ts';
import { inProject } from '../project.ts';
import { PICTURES } from './pictures.ts';
import { smallPng } from './small-png.ts';

const FOLDER = inProject('docs/status-page/pictures');

const words = process.argv.slice(2);
const wanted = PICTURES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

const site = await openSite();
try {
  const samples = await fillSamples(site.call);
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, subdomain, path, options, whole = false } of wanted) {
    const { page, close } = await site.visit({ timezoneId: 'Europe/Berlin', ...options });
    await page.goto(site.at(subdomain, path?.(samples)));
    await page.locator('[data-connection][data-state="live"]').waitFor({ state: 'attached' });
    const picture = smallPng(await page.screenshot({ fullPage: whole, animations: 'disabled' }));
    writeFileSync(`${FOLDER}/${name}.png`, picture);
    console.log(`${name}.png  ${Math.round(picture.length / 1_024)} KiB`);
    await close();
  }
} finally {
  await site.stop();
}
