import type { Statement } from '../../domain/statement/content.ts';
import { createDocumentFiles } from './document-files.ts';
import { fileFromThread } from './single-task-thread.ts';

/** Maximum number of cached files. A file has 100 KB to a few MB, so only the most recent files are cached. */
const MAX_CACHED = 5;
/** Time limit for a file, in milliseconds. A file of 50 components takes a second. */
const LONGEST_MS = 60_000;

const THREAD = { module: './statement-thread', base: import.meta.url, name: 'statement', memoryMib: 256 };

const inThread = (statement: Statement): Promise<Uint8Array> =>
  fileFromThread(THREAD, statement, AbortSignal.timeout(LONGEST_MS));

/** Creates the PDF files of statements in a thread. */
export const createStatementFiles = (): ((statement: Statement) => Promise<Uint8Array>) =>
  createDocumentFiles({ make: inThread, mostCached: MAX_CACHED });
