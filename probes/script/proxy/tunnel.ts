import type { Socket } from 'node:net';
import type { Meter } from './meter.ts';

/**
 * Passes on what either side sends, as fast as the other takes it, until both have ended, one is lost, or nothing was
 * sent for a while.
 *
 * @param idle milliseconds
 */
export const joinSockets = (near: Socket, far: Socket, idle: number, meter: Meter): void => {
  const look = meter.count(far);
  pass(near, far, look);
  pass(far, near, look);
  for (const socket of [near, far])
    socket.setTimeout(idle, () => {
      near.destroy();
      far.destroy();
    });
};

const pass = (from: Socket, to: Socket, passed: () => void): void => {
  from.on('data', (piece: Buffer) => {
    if (!to.write(piece)) from.pause();
    passed();
  });
  to.on('drain', () => from.resume());
  from.once('end', () => to.end());
  from.on('error', () => undefined);
  from.once('close', () => {
    // What has ended in order may still be on its way to the other side.
    if (!from.readableEnded || to.writableFinished) to.destroy();
  });
  from.resume();
};
