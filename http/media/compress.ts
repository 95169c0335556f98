import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './encoding.ts';

/** Bytes: shorter texts hardly shrink, and fit into one packet anyway. */
export const WORTH_COMPRESSING = 1_024;

/** 4 to 6 are the qualities of which compressing a page takes milliseconds, for nearly all that the best one saves. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Compresses a text outside the thread that serves requests. */
export const compress = (text: Uint8Array, encoding: Encoding): Promise<Uint8Array> => {
  if (encoding === 'gzip') return gzipped(text, { level: GZIP_LEVEL });
  const { BROTLI_PARAM_MODE, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_MODE_TEXT } = constants;
  return brotli(text, {
    params: {
      [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
      [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
};
