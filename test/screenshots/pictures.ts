import type { BrowserContextOptions } from 'playwright-core';
import type { Samples } from '../e2e/status-page/sample.ts';

/** A screenshot of a status page in `docs/status-page/pictures/`. */
export interface Picture {
  /** file name without `.png` */
  name: string;
  /** subdomain of the page */
  subdomain: 'acme' | 'calm' | 'upkeep' | 'fresh' | 'he';
  path?: (samples: Samples) => string;
  options: BrowserContextOptions;
  /** whether the screenshot shows the whole page instead of the part that fits into the window */
  whole?: boolean;
}

const DESKTOP: BrowserContextOptions = { viewport: { width: 1_040, height: 860 }, colorScheme: 'light' };
const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 780 }, isMobile: true, hasTouch: true };
const dark = (options: BrowserContextOptions): BrowserContextOptions => ({ ...options, colorScheme: 'dark' });

export const PICTURES: readonly Picture[] = [
  { name: 'outage-whole', subdomain: 'acme', options: DESKTOP, whole: true },
  { name: 'outage', subdomain: 'acme', options: DESKTOP },
  { name: 'outage-dark', subdomain: 'acme', options: dark(DESKTOP) },
  { name: 'outage-phone', subdomain: 'acme', options: PHONE },
  { name: 'outage-phone-dark', subdomain: 'acme', options: dark(PHONE) },
  { name: 'operational', subdomain: 'calm', options: DESKTOP },
  { name: 'maintenance', subdomain: 'upkeep', options: DESKTOP },
  { name: 'empty', subdomain: 'fresh', options: DESKTOP },
  { name: 'right-to-left', subdomain: 'he', options: DESKTOP },
  {
    name: 'incident',
    subdomain: 'acme',
    path: ({ incident }) => `incidents/${incident}`,
    options: DESKTOP,
  },
  { name: 'component', subdomain: 'acme', path: ({ acme }) => `components/${acme.shop}`, options: DESKTOP },
  { name: 'history', subdomain: 'acme', path: () => 'history', options: DESKTOP },
  { name: 'history-phone-dark', subdomain: 'acme', path: () => 'history', options: dark(PHONE) },
];
