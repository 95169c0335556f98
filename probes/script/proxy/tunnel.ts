import type { Socket } from 'node:net';
import type { Meter } from './meter.ts';

/**
 * Forwards data in both directions, as fast as the receiver accepts it, until both have ended, one breaks, or the
 * tunnel is idle for too long.
 *
 * @param idle idle timeout, milliseconds
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
    // Data of a regular end may still be on its way to the other side.
    if (!from.readableEnded || to.writableFinished) to.destroy();
  });
  from.resume();
};
