import type { Connection } from './open.ts';

/**
 * Runs one write that is on the disk when this function returns, on a connection that otherwise uses
 * `synchronous=NORMAL`.
 */
export const durably = <T>(connection: Connection, write: () => T): T => {
  connection.pragma('synchronous = FULL');
  try {
    return write();
  } finally {
    connection.pragma('synchronous = NORMAL');
  }
};
