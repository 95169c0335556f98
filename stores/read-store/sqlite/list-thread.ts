import { parentPort, workerData } from 'node:worker_threads';
import type { ListAnswer, ListRequest, ListThreadData } from './list-messages.ts';
import { GenerationDamaged, GenerationMissing, ReadStoreUnavailable } from '../port.ts';
import { available, openGenerationFiles } from './generation-files.ts';

// The list thread: each message is an array of requests, or null for the end.

/** Milliseconds after which finished answers no longer wait for the rest of their message. */
const HOLD_BACK = 2;

const port = parentPort;
if (!port) throw new Error('list-thread.ts runs as a worker thread.');
const files = openGenerationFiles({ directory: (workerData as ListThreadData).directory, mode: 'reader' });

const answerTo = (request: ListRequest): ListAnswer => {
  const { id, generation, collection } = request;
  try {
    return available(
      () =>
        request.kind === 'find'
          ? { id, kind: 'found', parts: files.of(generation).findParts(collection, request.query) }
          : { id, kind: 'counted', count: files.of(generation).count(collection, request.where) },
      generation,
    );
  } catch (error) {
    if (error instanceof GenerationMissing) return { id, kind: 'missing' };
    if (error instanceof GenerationDamaged) return { id, kind: 'damaged', message: (error.cause as Error).message };
    const kind = error instanceof ReadStoreUnavailable ? 'unavailable' : 'refused';
    return { id, kind, message: (error as Error).message };
  }
};

port.on('message', (requests: readonly ListRequest[] | null) => {
  if (!requests) {
    files.close();
    port.close();
    return;
  }
  let answers: ListAnswer[] = [];
  let since = performance.now();
  for (const request of requests) {
    answers.push(answerTo(request));
    if (performance.now() - since < HOLD_BACK) continue;
    port.postMessage(answers);
    answers = [];
    since = performance.now();
  }
  if (answers.length > 0) port.postMessage(answers);
});
