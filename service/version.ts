import { existsSync, readFileSync } from 'node:fs';

/** The version of this release, from package.json, which is one folder further up in the built program. */
export const version = (): string => {
  const candidates = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));
  const file = candidates.find((candidate) => existsSync(candidate));
  if (!file) return 'unknown';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};
