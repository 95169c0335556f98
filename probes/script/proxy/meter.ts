import type { Socket } from 'node:net';

/** Counts the bytes of connections to targets, including heads, and reports once when the limit is exceeded. */
export const createMeter = (most: number, onExceeded: () => void) => {
  let total = 0;
  let exceeded = false;
  const looks = new Set<() => void>();
  return {
    total: (): number => total,
    isExceeded: (): boolean => exceeded,
    /** Counts the bytes written to any of them. */
    look: (): void => {
      for (const look of looks) look();
    },
    /** Counts a connection from now on. @returns a function to call after writes; reads are noticed */
    count: (socket: Socket): (() => void) => {
      let counted = 0;
      const look = (): void => {
        const now = socket.bytesRead + socket.bytesWritten;
        total += now - counted;
        counted = now;
        if (total <= most) return;
        // Includes connections that were being opened.
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
