/**
 * The thread that writes one log. It is separate so that no other work of the process waits for the disk during a
 * commit. An append that arrives while other appends are being inserted is committed together with them. An append that
 * arrives later is part of the next commit.
 */
import { BroadcastChannel, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { channelName } from './growth.ts';
import type { AppendResults, FromLogThread, LogThreadData, ToLogThread } from './messages.ts';
import type { RemovalStep } from './removal.ts';
import { openForWriting } from './schema.ts';
import { createLogWriter, type AppendResult, type AppendRequest, type LogWriter } from './writer.ts';

type NumberedRequest = AppendRequest & { number: number };

/**
 * Maximum number of characters of data and metadata in a commit. A commit of this size accepts no further appends, so
 * that the commit does not take too long.
 */
const LARGEST_GROUP = 2_097_152;
/** A commit waits for more appends for this fraction of the duration of the previous commit. */
const PATIENCE = 0.25;
/** Milliseconds between two checks of whether writes succeed again after a failure, such as a full disk. */
const PROBE = 1_000;

if (!parentPort) throw new Error('log-thread is started as a worker thread.');
const port = parentPort;
const { name, file } = workerData as LogThreadData;
const NAP = new Int32Array(new SharedArrayBuffer(4));
const send = (message: FromLogThread): void => {
  port.postMessage(message);
};

const serve = (writer: LogWriter): void => {
  const channel = new BroadcastChannel(channelName(name, file));
  let probing: NodeJS.Timeout | undefined;

  let closing = false;
  /** a retention step that arrived while appends were inserted */
  let step: RemovalStep | undefined;
  /** the previous group: number of appends, and duration of its commit in milliseconds */
  let last = { appends: 0, took: 0 };

  /**
   * Returns the next message, if there is one. Every commit is expensive, and the callers of the previous commit are
   * likely to append again soon. So if this commit has fewer appends than the previous commit, waits a short time for
   * more.
   *
   * @param already number of appends in this commit so far
   */
  const next = (already: number): ToLogThread | undefined => {
    const until = performance.now() + last.took * PATIENCE;
    let message = waiting();
    while (!message && already < last.appends && performance.now() < until) {
      Atomics.wait(NAP, 0, 0, 0.02);
      message = waiting();
    }
    return message;
  };

  /** Commits the appends of a message, together with the appends that arrive while those are being inserted. */
  const commit = (first: readonly NumberedRequest[]): void => {
    const group = [...first];
    let size = sizeOf(first);
    let inserted = 0;
    const arrived = (): readonly NumberedRequest[] => {
      const message = size < LARGEST_GROUP && !closing ? next(group.length) : undefined;
      if (message === 'close') closing = true;
      inserted = performance.now();
      if (!message || message === 'close') return [];
      if ('remove' in message) {
        step = message.remove;
        return [];
      }
      group.push(...message.appends);
      size += sizeOf(message.appends);
      return message.appends;
    };
    const responses = resultsOf(group, writer.write(first, arrived));
    last = { appends: group.length, took: performance.now() - inserted };
    send({ ...responses, failure: writer.failure });
    if (responses.appended.length > 0) channel.postMessage(null);
    writer.checkpoint();
    if (writer.failure !== null) probing ??= setInterval(probe, PROBE);
  };

  const remove = (request: RemovalStep): void => {
    step = undefined;
    send({ removal: writer.remove(request) });
    writer.checkpoint();
  };

  const probe = (): void => {
    if (writer.failure !== null) writer.probe();
    if (writer.failure !== null) return;
    clearInterval(probing);
    probing = undefined;
    send({ appended: [], others: [], failure: null });
  };

  port.on('message', (message: ToLogThread) => {
    if (message === 'close') closing = true;
    else if ('remove' in message) step = message.remove;
    else commit(message.appends);
    if (step) remove(step);
    if (!closing) return;
    clearInterval(probing);
    channel.close();
    writer.close();
    port.close();
  });
};

const resultsOf = (
  group: readonly NumberedRequest[],
  responses: readonly AppendResult[],
): Omit<AppendResults, 'failure'> => {
  const sorted: Omit<AppendResults, 'failure'> = { appended: [], others: [] };
  for (const [index, { number }] of group.entries()) {
    const response = responses[index];
    if (response?.outcome === 'appended') sorted.appended.push(number, response.revision, response.position);
    else if (response) sorted.others.push({ number, answer: response });
  }
  return sorted;
};

const waiting = (): ToLogThread | undefined =>
  (receiveMessageOnPort(port) as { message: ToLogThread } | undefined)?.message;

const sizeOf = (appends: readonly NumberedRequest[]): number =>
  appends.reduce(
    (sum, { events }) => events.reduce((size, { data, metadata }) => size + data.length + metadata.length, sum),
    0,
  );

const start = (): LogWriter | null => {
  try {
    return createLogWriter(name, () => openForWriting(file));
  } catch (error) {
    send({ refused: error instanceof Error ? error.message : String(error) });
    port.close();
    return null;
  }
};

const writer = start();
if (writer) {
  serve(writer);
  send('ready');
}
