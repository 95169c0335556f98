/**
 * The thread that writes one log: a commit takes as long as the disk does, and nothing else should wait
 * for it. Appends that arrive while others are inserted share their commit, later ones the next.
 */
import { BroadcastChannel, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { channelName } from './growth.ts';
import type { Answers, FromLogThread, LogThreadData, ToLogThread } from './messages.ts';
import type { RemovalStep } from './removal.ts';
import { openForWriting } from './schema.ts';
import { createLogWriter, type AppendAnswer, type AppendRequest, type LogWriter } from './writer.ts';

type NumberedRequest = AppendRequest & { number: number };

/** A commit takes no more appends after this many characters of data and metadata: later ones would wait too long. */
const LARGEST_GROUP = 2_097_152;
/** Share of a commit's duration for which it waits for more appends. */
const PATIENCE = 0.25;
/** Milliseconds between two checks whether a disk that was full can be written again. */
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
  /** a step of retention that came while appends were inserted */
  let step: RemovalStep | undefined;
  /** the previous group: how many appends it had, how many milliseconds its commit took */
  let last = { appends: 0, took: 0 };

  /**
   * The next message. The callers whom the previous commit answered are likely to come again: while fewer have
   * come, part of the time that the commit will take is spent waiting for them, since every commit is expensive.
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

  /** Commits the appends of a message together with those that arrive while they are being inserted. */
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
    const answers = answersTo(group, writer.write(first, arrived));
    last = { appends: group.length, took: performance.now() - inserted };
    send({ ...answers, failure: writer.failure });
    if (answers.appended.length > 0) channel.postMessage(null);
    writer.checkpoint();
    if (writer.failure !== null) probing ??= setInterval(probe, PROBE);
  };

  const remove = (asked: RemovalStep): void => {
    step = undefined;
    send({ removal: writer.remove(asked) });
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

const answersTo = (group: readonly NumberedRequest[], answers: readonly AppendAnswer[]): Omit<Answers, 'failure'> => {
  const sorted: Omit<Answers, 'failure'> = { appended: [], others: [] };
  for (const [index, { number }] of group.entries()) {
    const answer = answers[index];
    if (answer?.outcome === 'appended') sorted.appended.push(number, answer.revision, answer.position);
    else if (answer) sorted.others.push({ number, answer });
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
