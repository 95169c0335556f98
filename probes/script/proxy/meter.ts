import type { Socket } from 'node:net';

/**
 * Counts the bytes of connections to targets, including heads of requests and responses. Calls `onExceeded` one time,
 * when the total exceeds `most`.
 */
export const createMeter = (most: number, onExceeded: () => void) => {
  let total = 0;
  let exceeded = false;
  const looks = new Set<() => void>();
  return {
    total: (): number => total,
    isExceeded: (): boolean => exceeded,
    /** Updates the total for all connections. Call it after writes. */
    update: (): void => {
      for (const look of looks) look();
    },
    /** Counts a connection from now on. @returns a function to call after writes; reads are counted automatically */
    count: (socket: Socket): (() => void) => {
      let counted = 0;
      const look = (): void => {
        const now = socket.bytesRead + socket.bytesWritten;
        total += now - counted;
        counted = now;
        if (total <= most) return;
        // `onExceeded` closes all open connections. Connections that are opened later are closed here.
        socket.destroy();
        if (exceeded) return;
        exceeded = true;
        onExceeded();
      };
      looks.add(look);
      socket.on('data', look);
      socket.once('close', () => {
        look();
        looks.delete(look);
      });
      return look;
    },
  };
};

export type Meter = ReturnType<typeof createMeter>;
