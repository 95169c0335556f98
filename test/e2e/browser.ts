import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Returns why no browser is available, for the message of a skipped test; null if one is available. */
export const noBrowser = (): string | null => (existsSync(CHROMIUM) ? null : 'chromium is not installed');

/** Options that keep a browser from contacting any other machine (scripts/silent-browsers.test.ts). */
export const SILENT: readonly string[] = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication,PasswordLeakDetection',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** Opens a browser that contacts only this machine. */
export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: [...SILENT] });
