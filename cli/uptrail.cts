#!/usr/bin/env node
/**
 * Where the `uptrail` command begins. libuv reads the size of its thread pool once, when something first
 * uses the pool, which the loader of ES modules does: so it is set here, where nothing was imported yet,
 * and in CommonJS. Half of these threads at most look names up, so that with the four there are otherwise
 * two slow name servers would hold up every check.
 */
const { existsSync } = require('node:fs') as typeof import('node:fs');
const path = require('node:path') as typeof import('node:path');
const { pathToFileURL } = require('node:url') as typeof import('node:url');

process.env['UV_THREADPOOL_SIZE'] ||= '64';

/** The same in a few files (build.cjs), which load in half the time. */
const BUNDLED = path.join(__dirname, '../bundled/cli/main.js');

const begin = async (): Promise<void> => {
  const { tooFewToBegin } = await import('../service/embedded/descriptors.ts');
  // Read now, before the process may run out of file descriptors: modules that can't be opened are named as missing.
  const tooFew = tooFewToBegin();
  try {
    await (existsSync(BUNDLED) ? import(pathToFileURL(BUNDLED).href) : import('./main.ts'));
  } catch (error) {
    if (tooFew === null) throw error;
    process.stderr.write(`${tooFew}\n`);
    process.exitCode = 1;
  }
};

void begin();
