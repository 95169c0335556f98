import type { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { ServerResponse } from 'node:http';
import type { KnownRunner } from '../../../api/runner-source.ts';
import type { Hello, Order } from '../../../runners/remote/protocol.ts';
import type { QueuedRun } from '../../../stores/work-queue/port.ts';
import { message, START } from '../../runners/worker/stage.ts';

export const RUNNER: KnownRunner = {
  id: 'runner000001',
  organizationId: 'org000000001',
  name: 'Office',
  region: 'EU, West',
  private: false,
  isFormer: false,
};

export const hello = (fields: Partial<Hello> = {}): Hello => ({
  protocol: 1,
  release: '1.2.3',
  instance: 'one',
  region: null,
  types: ['web'],
  lacking: [],
  capacity: 10,
  clock: START,
  ...fields,
});

/** Returns a scheduled run, due at START, of a check that runs every minute. */
export const queued = (
  fields: Parameters<typeof message>[0] = {},
  parameters: Record<string, unknown> = {},
): QueuedRun => ({
  run_id: 'run000000001',
  region: 'eu-west1',
  not_after: START + 70_000,
  payload: message({ interval: 60, ...fields }, parameters),
});

/** Returns a response for a stream, and the orders that a runner has received in the stream. */
export const readStream = () => {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const response = stream as unknown as ServerResponse & EventEmitter;
  return {
    response,
    orders: (): Order[] =>
      text
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => JSON.parse(line.slice('data: '.length)) as Order),
    /** Breaks the connection of the stream. */
    breakOff: (): void => {
      stream.destroy();
    },
  };
};
