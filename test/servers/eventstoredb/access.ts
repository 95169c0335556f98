import { status, type Metadata } from '@grpc/grpc-js';
import { failure } from './faults.ts';
import type { EventLog } from './log.ts';

/** A user of a secured server. */
export interface User {
  name: string;
  password: string;
  /** `$admins`, `$ops` or others */
  groups: readonly string[];
}

/**
 * An operation on a stream: read, write, delete, read metadata or write metadata. The stream's metadata uses the same
 * names.
 */
type Verb = '$r' | '$w' | '$d' | '$mr' | '$mw';

/** EventStoreDB's default access rules; `$acl` in the metadata of a stream overrides them for that stream. */
export interface Access {
  /** Throws unless the caller may read the stream or `$all`. @throws ServiceError */
  toRead: (call: Metadata, stream: string) => void;
  toAppend: (call: Metadata, stream: string) => void;
  toDelete: (call: Metadata, stream: string) => void;
  /** Throws unless the caller may use persistent subscriptions. */
  toGroups: (call: Metadata) => void;
}

const ADMINS = '$admins';

/** @param users all users; null if the server is not secured and allows every call */
export const createAccess = (log: EventLog, users: readonly User[] | null): Access => {
  /** Returns the names by which an access list can refer to the caller. */
  const rolesOf = (call: Metadata): readonly string[] => {
    const header = call.get('authorization')[0]?.toString() ?? '';
    const [name = '', ...password] = Buffer.from(header.replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':');
    const user = users?.find((one) => one.name === name && one.password === password.join(':'));
    if (!user) throw failure(status.UNAUTHENTICATED, 'Unauthenticated', {});
    return [user.name, ...user.groups, '$all'];
  };

  const listed = (stream: string, verb: Verb): readonly string[] | null => {
    const newest = log.visible(`$$${stream}`).at(-1);
    const metadata = newest && (JSON.parse(Buffer.from(newest.data).toString()) as { $acl?: Record<string, unknown> });
    const list = metadata?.$acl?.[verb];
    if (list === undefined || list === null) return null;
    return [list].flat().map(String);
  };

  const check = (call: Metadata, stream: string, verb: Verb): void => {
    if (!users) return;
    const roles = rolesOf(call);
    const allowed = listed(stream, verb) ?? [stream.startsWith('$') ? ADMINS : '$all'];
    if (!roles.includes(ADMINS) && !roles.some((role) => allowed.includes(role))) throw denied();
  };

  const requireRight = (verb: Verb, ofMetadata: Verb) => (call: Metadata, stream: string) => {
    if (stream.startsWith('$$')) check(call, stream.slice(2), ofMetadata);
    else check(call, stream, verb);
  };

  return {
    toRead: requireRight('$r', '$mr'),
    toAppend: requireRight('$w', '$mw'),
    toDelete: requireRight('$d', '$mw'),
    toGroups: (call) => {
      if (users && !rolesOf(call).some((role) => role === ADMINS || role === '$ops')) throw denied();
    },
  };
};

const denied = () => failure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
