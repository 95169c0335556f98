import type { Connection } from '../../eventstoredb/connection.ts';
import { changeMetadata } from './metadata.ts';

/** The group that may read a stream whose name begins with `$`, unless the stream's metadata names other readers. */
const ADMINS = '$admins';

/**
 * Grants a user the right to read a stream that only `$admins` may read, such as `$all`. Existing readers keep their
 * access.
 *
 * @param stream name of the stream on the server
 * @param user name of a user or a group
 * @param deadline timeout of each call, in milliseconds
 * @throws StoreUnavailable, RightMissing
 */
export const grantReadAccess = (
  connection: Connection,
  stream: string,
  user: string,
  deadline: number,
): Promise<void> =>
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
