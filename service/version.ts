import { existsSync, readFileSync } from 'node:fs';

/** Returns the version of this release, from package.json. In the built program, that file is one folder further up. */
export const version = (): string => {
  const candidates = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));
  const file = candidates.find((candidate) => existsSync(candidate));
  if (!file) return 'unknown';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};
