/**
 * Starts the program with sample data, and takes the screenshots that README.md and the documents show: of status pages
 * in `docs/status-page/pictures/`, and of the console in `docs/pictures/`. Requires Chromium.
 *
 * Usage: `npm run screenshots [-- part of a name …]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { openConsole, signInAt } from '../e2e/console/visits.ts';
import { fillSamples } from '../e2e/status-page/sample.ts';
import { openSite } from '../e2e/status-page/visits.ts';
import { inProject } from '../project.ts';
import { CONSOLE_PICTURES } from './console-pictures.ts';
import { fillConsole, NOW } from './console-sample.ts';
import { PICTURES } from './pictures.ts';
import { smallPng } from './small-png.ts';

const PAGES_FOLDER = inProject('docs/status-page/pictures');
const CONSOLE_FOLDER = inProject('docs/pictures');

const words = process.argv.slice(2);
const isWanted = ({ name }: { name: string }): boolean =>
  words.length === 0 || words.some((word) => name.includes(word));

const save = (folder: string, name: string, screenshot: Buffer): void => {
  mkdirSync(folder, { recursive: true });
  const picture = smallPng(screenshot);
  writeFileSync(`${folder}/${name}.png`, picture);
  console.log(`${name}.png  ${Math.round(picture.length / 1_024)} KiB`);
};

const takePages = async (pictures: typeof PICTURES): Promise<void> => {
  const site = await openSite();
  try {
    const samples = await fillSamples(site.call);
    for (const { name, subdomain, path, options, whole = false } of pictures) {
      const { page, close } = await site.visit({ timezoneId: 'Europe/Berlin', ...options });
      await page.goto(site.at(subdomain, path?.(samples)));
      await page.locator('[data-connection][data-state="live"]').waitFor({ state: 'attached' });
      save(PAGES_FOLDER, name, await page.screenshot({ fullPage: whole, animations: 'disabled' }));
      await close();
    }
  } finally {
    await site.stop();
  }
};

const takeConsole = async (pictures: typeof CONSOLE_PICTURES): Promise<void> => {
  const site = await openConsole({ now: NOW });
  try {
    const sample = await fillConsole(site);
    for (const { name, path, options } of pictures) {
      const visitor = await site.visit({ timezoneId: 'Europe/Berlin', ...options });
      const page = await visitor.context.newPage();
      await page.clock.install({ time: NOW });
      await page.goto(`${site.address}/console`);
      await signInAt(page, 'maria@example.com');
      await page.getByRole('button', { name: /^Account/ }).waitFor();
      await page.goto(`${site.address}/console${path(sample)}`);
      await page.locator('main h1').first().waitFor();
      await page.clock.runFor(2_000);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await page.clock.runFor(1_000);
      save(CONSOLE_FOLDER, name, await page.screenshot({ animations: 'disabled' }));
      await visitor.close();
    }
  } finally {
    await site.stop();
  }
};

const pages = PICTURES.filter(isWanted);
const screens = CONSOLE_PICTURES.filter(isWanted);
if (pages.length > 0) await takePages(pages);
if (screens.length > 0) await takeConsole(screens);
