import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Why there is no browser, for the message of a skipped test; null if there is one. */
export const noBrowser = (): string | null => (existsSync(CHROMIUM) ? null : 'chromium is not installed');

/** Options of a browser that contacts only this machine (scripts/silent-browsers.test.ts). */
export const SILENT: readonly string[] = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication,PasswordLeakDetection',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** A browser that contacts only this machine. */
export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: [...SILENT] });
