/** Names in user agents; the first match counts, because most browsers also name compatible ones. */
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
 * Returns a readable browser name: `Firefox, Linux`; the user agent if it is not recognized, or null if it is unknown.
 */
export const browserOf = (userAgent: string | null): string | null => {
  if (userAgent === null || userAgent === '') return null;
  const parts = [found(BROWSERS, userAgent), found(SYSTEMS, userAgent)].filter((part) => part !== null);
  return parts.length === 0 ? userAgent.slice(0, 100) : parts.join(', ');
};
