import type { Socket } from 'node:net';

/** Counts what goes over connections to targets, heads included, and says once when it was too much. */
export const createMeter = (most: number, onExceeded: () => void) => {
  let total = 0;
  let exceeded = false;
  const looks = new Set<() => void>();
  return {
    total: (): number => total,
    isExceeded: (): boolean => exceeded,
    /** Counts what was written to any of them. */
    look: (): void => {
      for (const look of looks) look();
    },
    /** Counts a connection from now on. @returns call it when something was written; what is read is noticed */
    count: (socket: Socket): (() => void) => {
      let counted = 0;
      const look = (): void => {
        const now = socket.bytesRead + socket.bytesWritten;
        total += now - counted;
        counted = now;
        if (total <= most) return;
        // One that was being opened meanwhile, too.
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
