import type { Socket } from 'node:net';
import type { Meter } from './meter.ts';

/**
 * Forwards data between two sockets in both directions, as fast as the receiver accepts it. Stops when both sockets
 * have ended, when one breaks, or when no data was sent for too long.
 *
 * @param idle idle timeout, in milliseconds
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
    // After a regular end of `from`, some of its data may not have been written to `to` yet.
    if (!from.readableEnded || to.writableFinished) to.destroy();
  });
  from.resume();
};
