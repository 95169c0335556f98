/**
 * The thread that writes one log: a commit takes as long as the disk does, and nothing else shall wait
 * for it. Appends that arrive meanwhile share the next commit.
 */
import { BroadcastChannel, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { channelName } from './growth.ts';
import type { Answers, FromLogThread, LogThreadData, ToLogThread } from './messages.ts';
import { openForWriting } from './schema.ts';
import { createLogWriter, type AppendAnswer, type AppendRequest, type LogWriter } from './writer.ts';

type NumberedRequest = AppendRequest & { number: number };

/** Characters of data and metadata in one commit; a longer one would keep the appends after it waiting. */
const LARGEST_GROUP = 4_194_304;
/** Milliseconds between two tries whether a disk that was full can be written again. */
const PROBE = 1_000;

if (!parentPort) throw new Error('log-thread is started as a worker thread.');
const port = parentPort;
const { name, file } = workerData as LogThreadData;
const send = (message: FromLogThread): void => {
  port.postMessage(message);
};

const serve = (writer: LogWriter): void => {
  const channel = new BroadcastChannel(channelName(name, file));
  let probing: NodeJS.Timeout | undefined;

  const commit = (group: readonly NumberedRequest[]): void => {
    const answers = answersTo(group, writer.write(group));
    send({ ...answers, failure: writer.failure });
    if (answers.appended.length > 0) channel.postMessage(null);
    writer.checkpoint();
    if (writer.failure !== null) probing ??= setInterval(probe, PROBE);
  };

  const probe = (): void => {
    if (writer.failure !== null) writer.probe();
    if (writer.failure !== null) return;
    clearInterval(probing);
    probing = undefined;
    send({ appended: [], others: [], failure: null });
  };

  port.on('message', (first: ToLogThread) => {
    const appends: NumberedRequest[] = [];
    let closing = false;
    for (let message: ToLogThread | undefined = first; message; message = waiting()) {
      if (message === 'close') closing = true;
      else appends.push(...message.appends);
    }
    for (const group of groups(appends)) commit(group);
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

function* groups(appends: readonly NumberedRequest[]): Generator<NumberedRequest[]> {
  let group: NumberedRequest[] = [];
  let size = 0;
  for (const append of appends) {
    const length = append.events.reduce((sum, event) => sum + event.data.length + event.metadata.length, 0);
    if (group.length > 0 && size + length > LARGEST_GROUP) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(append);
    size += length;
  }
  if (group.length > 0) yield group;
}

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
