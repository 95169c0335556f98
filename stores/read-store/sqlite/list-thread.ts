import { parentPort, workerData } from 'node:worker_threads';
import type { ListResponse, ListRequest, ListThreadData } from './list-messages.ts';
import { GenerationDamaged, GenerationMissing, ReadStoreUnavailable } from '../port.ts';
import type { ListParts, ListRest } from './generation-file.ts';
import { available, openGenerationFiles } from './generation-files.ts';

// The list thread. Each message to it is an array of requests, or null to end the thread.

/** Milliseconds after which finished responses are sent, even if other requests of the same message are not done. */
const HOLD_BACK = 2;

const port = parentPort;
if (!port) throw new Error('list-thread.ts runs as a worker thread.');
const files = openGenerationFiles({ directory: (workerData as ListThreadData).directory, mode: 'reader' });

/** The unread rest of each list that is being read in parts, by the id of the request. */
const unfinished = new Map<number, ListRest>();

const done = (request: ListRequest): ListResponse => {
  const { id, generation } = request;
  const file = files.of(generation);
  switch (request.kind) {
    case 'count':
      return { id, kind: 'counted', count: file.count(request.collection, request.where) };
    case 'find':
      return partResponse(id, id, file.findParts(request.collection, request.query));
    case 'next': {
      const rest = unfinished.get(request.of);
      unfinished.delete(request.of);
      return partResponse(id, request.of, rest ? file.nextPart(rest) : { parts: [], rest: null });
    }
    case 'leave':
      unfinished.delete(request.of);
      return { id, kind: 'found', parts: [], more: false };
  }
};

const partResponse = (id: number, of: number, { parts, rest }: ListParts): ListResponse => {
  if (rest) unfinished.set(of, rest);
  return { id, kind: 'found', parts, more: rest !== null };
};

const respondTo = (request: ListRequest): ListResponse => {
  const { id, generation } = request;
  try {
    return available(() => done(request), generation);
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
  let responses: ListResponse[] = [];
  let since = performance.now();
  for (const request of requests) {
    responses.push(respondTo(request));
    if (performance.now() - since < HOLD_BACK) continue;
    port.postMessage(responses);
    responses = [];
    since = performance.now();
  }
  if (responses.length > 0) port.postMessage(responses);
});
