import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../browser.ts';
import { endPrograms, serve } from '../program.ts';
import { createApiCall, type ApiCall } from './sample.ts';

/**
 * A visitor's tab. `faults` are script errors, violations of the Content-Security-Policy, and requests to other hosts.
 */
export interface Visit {
  page: Page;
  faults: string[];
  /** paths of the tab's requests */
  requested: string[];
  close: () => Promise<void>;
}

/** A running program, and a browser that visits its status pages. */
export interface Site {
  address: string;
  call: ApiCall;
  /** Returns the address of a page, such as `/status/acme/incidents/…`. */
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

/** Starts the program with a temporary folder, and a browser that contacts only this machine. */
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

/** Returns the text that a visitor can read. */
export const visibleText = (page: Page): Promise<string> => page.locator('body').innerText();

/** Returns whether a page is wider than the window. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Opens all collapsed sections of a page. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
