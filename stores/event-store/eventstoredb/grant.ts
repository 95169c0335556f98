import type { Connection } from '../../eventstoredb/connection.ts';
import { changeMetadata } from './metadata.ts';

/** Who may read a stream that begins with `$` while its metadata names nobody. */
const ADMINS = '$admins';

/**
 * Lets a user read a stream that is for `$admins` only, as `$all` is; whoever could read it still can.
 *
 * @param stream as it is named on the server
 * @param user its name, or a group
 * @param deadline milliseconds, of each call
 * @throws StoreUnavailable, RightMissing
 */
export const allowReading = (connection: Connection, stream: string, user: string, deadline: number): Promise<void> =>
  changeMetadata(
    connection,
    stream,
    (metadata) => {
      const acl = (metadata['$acl'] ?? {}) as Readonly<Record<string, unknown>>;
      const readers = [acl['$r'] ?? ADMINS].flat();
      return readers.includes(user) ? null : { ...metadata, $acl: { ...acl, $r: [...readers, user] } };
    },
    deadline,
  );
