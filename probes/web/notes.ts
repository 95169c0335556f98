import { quoted } from '../engine/probe-failure.ts';
import type { CompressionFlaw } from './decompression-layer.ts';

/* Sentences for the `notes` of a result, about defects of a response that browsers tolerate too. */

const FLAWS: Record<CompressionFlaw, (coding: string) => string> = {
  unfinished: (coding) => `The ${coding} data of the response is unfinished; the part that arrived was read.`,
  'no checksum': (coding) => `The ${coding} data of the response lacks its checksum.`,
  'wrong checksum': (coding) => `The ${coding} data of the response does not match its checksum.`,
  trailing: (coding) => `The ${coding} data of the response is followed by other bytes, which were ignored.`,
};

export const flawNote = (coding: string, flaw: CompressionFlaw): string => FLAWS[flaw](coding);

export const ignoredCodingNote = (codings: readonly string[]): string =>
  `The Content-Encoding ${quoted(codings.join(', '))} is unknown and was ignored.`;

export const IGNORED_LENGTH = 'The response has both a Content-Length and chunks; the length was ignored.';

export const IGNORED_LINES = 'The response has lines among its headers that are not headers; they were ignored.';

export const IGNORED_LOCATION = 'An empty Location header was ignored.';

export const ignoredCharsetNote = (charset: string): string =>
  `The charset ${quoted(charset)} is unknown and was ignored.`;
