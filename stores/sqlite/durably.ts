import type { Connection } from './open.ts';

/** Makes one write of a connection with `synchronous=NORMAL` wait until the disk has confirmed it. */
export const durably = <T>(connection: Connection, write: () => T): T => {
  connection.pragma('synchronous = FULL');
  try {
    return write();
  } finally {
    connection.pragma('synchronous = NORMAL');
  }
};
