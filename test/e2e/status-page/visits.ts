import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../browser.ts';
import { endPrograms, serve } from '../program.ts';
import { createApiCall, type ApiCall } from './sample.ts';

/** A visitor's tab, and its errors: of scripts, violations of the policy, requests to other hosts. */
export interface Visit {
  page: Page;
  faults: string[];
  /** paths of its requests */
  requested: string[];
  close: () => Promise<void>;
}

/** The running program with a browser that visits its status pages. */
export interface Site {
  address: string;
  call: ApiCall;
  /** The address of a page: `acme` with `incidents/…`. */
  at: (subdomain: string, path?: string) => string;
  visit: (options?: BrowserContextOptions) => Promise<Visit>;
  stop: () => Promise<void>;
}

const visiting =
  (browser: Browser, address: string) =>
  async (options: BrowserContextOptions = {}): Promise<Visit> => {
    const context = await browser.newContext({ viewport: { width: 1_100, height: 900 }, ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    const requested: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      requested.push(pathname);
      if (origin !== address) faults.push(`A request to ${request.url()}.`);
    });
    return { page, faults, requested, close: () => context.close() };
  };

/** Starts the program in a folder of its own, and a browser that contacts only this machine. */
export const openSite = async (environment: Record<string, string> = {}): Promise<Site> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-'));
  const { address } = await serve({ DATA_DIR: folder, ...environment });
  const browser = await openBrowser();
  const key = environment['ADMIN_API_KEY'] ?? readFileSync(join(folder, 'admin-api-key'), 'utf8').trim();
  return {
    address,
    call: createApiCall(address, key),
    at: (subdomain, path = '') => `${address}/status/${subdomain}${path === '' ? '' : `/${path}`}`,
    visit: visiting(browser, address),
    stop: async () => {
      await browser.close();
      await endPrograms();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** What a visitor can read, in one line per text. */
export const visibleText = (page: Page): Promise<string> => page.locator('body').innerText();

/** Whether a page is wider than the window. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Opens everything that can be opened. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
