#!/usr/bin/env node
/**
 * The entry point of the `uptrail` command. libuv reads the size of its thread pool only once, when the pool is first
 * used. The ES module loader uses the pool, so the size is set here, in CommonJS, before any import. At most half of
 * the threads perform name lookups. With the default of four threads, two slow name servers would block every check.
 */
const { existsSync } = require('node:fs') as typeof import('node:fs');
const path = require('node:path') as typeof import('node:path');
const { pathToFileURL } = require('node:url') as typeof import('node:url');

process.env['UV_THREADPOOL_SIZE'] ||= '64';

/** The same program, bundled into few files (build.cjs). The bundle loads in half the time. */
const BUNDLED = path.join(__dirname, '../bundled/cli/main.js');

const begin = async (): Promise<void> => {
  const { tooFewToBegin } = await import('../service/embedded/descriptors.ts');
  // Check the limit first, before the process runs out of file descriptors. Modules that cannot be opened would be
  // reported as missing.
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
