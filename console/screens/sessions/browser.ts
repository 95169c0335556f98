/**
 * Patterns of browsers in user agent strings. The first match counts, because most browsers also name other browsers
 * with which they are compatible.
 */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone|\biPad/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const found = (names: readonly [RegExp, string][], text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/**
 * Returns a readable name of a browser: `Firefox, Linux`. Returns the user agent string itself if the browser is not
 * recognised, or null if there is no user agent string.
 */
export const browserOf = (userAgent: string | null): string | null => {
  if (userAgent === null || userAgent === '') return null;
  const parts = [found(BROWSERS, userAgent), found(SYSTEMS, userAgent)].filter((part) => part !== null);
  return parts.length === 0 ? userAgent.slice(0, 100) : parts.join(', ');
};
