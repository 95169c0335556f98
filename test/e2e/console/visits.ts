import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import * as assert from 'uvu/assert';
import { PASSWORD, storeUser } from '../../api/v1/login/signed-in-user.ts';
import { startService, type Service } from '../../api/service.ts';
import { inProject } from '../../project.ts';
import { eventually } from '../../waiting.ts';
import { openBrowser } from '../browser.ts';

/** The browser of one person. Its tabs share cookies. */
export interface Visitor {
  context: BrowserContext;
  /** Opens a tab at a path of the service. */
  open: (path?: string) => Promise<Page>;
  /** responses with status 400 or above, requests to other origins, and errors of the browser's console */
  complaints: string[];
  close: () => Promise<void>;
}

/** A service and a browser that visits it. */
export interface Console {
  service: Service;
  /** the address of the service: `http://127.0.0.1:4711` */
  address: string;
  visit: (options?: BrowserContextOptions, address?: string) => Promise<Visitor>;
  stop: () => Promise<void>;
}

/** Returns whether a console message only reports the status of a response, which `complaints` contains anyway. */
const isAboutStatus = (text: string): boolean => text.startsWith('Failed to load resource');

/** Returns a function that opens browser contexts. @param own the address of the service */
export const visiting =
  (browser: Browser, own: string): Console['visit'] =>
  async (contextOptions = {}, address = own) => {
    const context = await browser.newContext({ locale: 'en-US', ...contextOptions });
    const complaints: string[] = [];
    const open = async (path = '/console'): Promise<Page> => {
      const page = await context.newPage();
      page.on('console', (message) => {
        if (!isAboutStatus(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('response', (answer) => {
        if (answer.status() >= 400) complaints.push(`${answer.status()} ${new URL(answer.url()).pathname}`);
      });
      page.on('request', (request) => {
        if (!/^(?:data:|blob:)/.test(request.url()) && new URL(request.url()).origin !== new URL(address).origin)
          complaints.push(request.url());
      });
      await page.goto(address + path);
      return page;
    };
    return { context, open, complaints, close: () => context.close() };
  };

export const openConsole = async (options: Parameters<typeof startService>[0] = {}): Promise<Console> => {
  const service = await startService(options);
  const browser: Browser = await openBrowser();
  const own = `http://127.0.0.1:${service.port}`;
  return {
    service,
    address: own,
    visit: visiting(browser, own),
    stop: async () => {
      await browser.close();
      await service.stop();
    },
  };
};

/** Fills in and submits the sign-in form. */
export const signInAt = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** Opens a tab of a signed-in user, on the overview. */
export const signedInTab = async (
  { service }: Console,
  visitor: Visitor,
  name: string,
): Promise<{ page: Page; id: string; email: string }> => {
  const person = await storeUser(service, name, 'admin');
  const page = await visitor.open();
  await signInAt(page, person.email);
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  return { page, ...person };
};

/** Signs out through the menu. */
export const signOutAt = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
};

export const signInShown = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Sign in' }).waitFor();

const AXE = readFileSync(inProject('node_modules/axe-core/axe.min.js'), 'utf8');
const OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
};

/** Returns the rules of WCAG 2.2 AA that a page violates, with the violating elements. */
export const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(
    (options) => (window as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } }).axe.run(options),
    OPTIONS,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
};

/**
 * Tracks the requests of a tab, except its event stream, which never ends.
 *
 * @returns a function that waits until all requests of a screen have ended
 */
export const settling = (page: Page): (() => Promise<void>) => {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/v1/events')) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) open.clear();
  });
  const isSettled = async (): Promise<boolean> => {
    if (open.size > 0 || (await page.locator('main .skeleton').count()) > 0) return false;
    // A response can cause further requests, which start in the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return open.size === 0;
  };
  return async () => {
    await eventually(isSettled, { what: 'the screen has loaded' });
  };
};

/** Returns whether a page scrolls horizontally. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

export const assertNothingFailed = ({ complaints }: Visitor): void => {
  assert.equal(complaints, []);
};
