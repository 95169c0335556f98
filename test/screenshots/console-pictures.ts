import type { BrowserContextOptions } from 'playwright-core';
import type { Sample } from './console-sample.ts';

/** A screenshot of the console. */
export interface ConsolePicture {
  name: string;
  path: (sample: Sample) => string;
  options?: BrowserContextOptions;
}

const WIDE: BrowserContextOptions = { viewport: { width: 1_280, height: 800 }, colorScheme: 'light' };
const DARK: BrowserContextOptions = { ...WIDE, colorScheme: 'dark' };
const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

export const CONSOLE_PICTURES: readonly ConsolePicture[] = [
  { name: 'overview', path: () => '', options: WIDE },
  { name: 'overview-phone', path: () => '', options: PHONE },
  { name: 'checks', path: () => '/checks', options: WIDE },
  { name: 'checks-dark', path: () => '/checks', options: DARK },
  { name: 'check', path: ({ check }) => `/checks/${check}`, options: WIDE },
  { name: 'alerts', path: () => '/alerts', options: WIDE },
  { name: 'page', path: ({ page }) => `/pages/${page}`, options: WIDE },
  { name: 'incident', path: ({ page, incident }) => `/pages/${page}/incidents/${incident}`, options: WIDE },
  {
    name: 'incident-phone-dark',
    path: ({ page, incident }) => `/pages/${page}/incidents/${incident}`,
    options: { ...PHONE, colorScheme: 'dark' },
  },
];
