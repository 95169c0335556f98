import type { ServerResponse } from 'node:http';
import { categoryOf } from '../../../domain/decider.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { Fields } from '../../../domain/fields.ts';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import type { Caller, Credentials } from '../../../http/routes/caller.ts';
import { mayOf } from '../../permissions.ts';
import { audienceOf } from './changes.ts';

/** The caller who opens a stream. */
export interface StreamCaller extends Pick<Caller, 'actor' | 'organizationId'>, Credentials {
  /** Value of the header `Authorization`. It is checked again while the stream is open. */
  credential: string;
  address: string | null;
}

/** An open stream. */
export interface StreamMember extends StreamCaller {
  /** The permissions that decide which changes the stream receives (changes.ts). */
  audience: string;
  response: ServerResponse;
}

export const createMember = (listening: StreamCaller, response: ServerResponse): StreamMember => ({
  ...listening,
  audience: audienceOf(mayOf(listening.actor.role)),
  response,
});

/** Authenticates a credential (api/authentication.ts). */
export type FindCaller = (credential: string, address?: string) => Promise<Caller | null>;

/** Tests whether the credential of a stream still grants the same permissions as at its start. */
export const hasAccess = async (
  { credential, address, organizationId, audience }: StreamMember,
  findCaller: FindCaller,
): Promise<boolean> => {
  try {
    const caller = await findCaller(credential, address ?? undefined);
    return caller?.organizationId === organizationId && audienceOf(mayOf(caller.actor.role)) === audience;
  } catch {
    // It is unknown whether the client has access, so its stream ends. A client that has access reconnects.
    return false;
  }
};

/** Ends the streams of callers who have lost their permission. */
export const endUnauthorizedStreams = async (
  members: Iterable<StreamMember>,
  findCaller: FindCaller,
): Promise<void> => {
  const pause = timeSlices();
  for (const member of [...members]) {
    if (!(await hasAccess(member, findCaller))) member.response.end();
    await pause();
  }
};

/** Categories of event store streams whose events can revoke access. */
const OF_ACCESS: readonly string[] = ['organization', 'session'];

/** Tests whether an event might revoke access. */
export const isAccessEvent = ({ stream }: Pick<RecordedEvent, 'stream'>): boolean =>
  OF_ACCESS.includes(categoryOf(stream));

/**
 * By type of event: a field of the event and a field of the caller. If both fields contain the same id, the event ends
 * the caller's streams.
 */
const TAKING: Readonly<Record<string, [field: string, credential: keyof Credentials]>> = {
  SessionEnded: ['session_id', 'sessionId'],
  ApiKeyRevoked: ['api_key_id', 'keyId'],
  UserRoleChanged: ['user_id', 'userId'],
  UserRemoved: ['user_id', 'userId'],
};

/** Ends the streams of callers whose access an event revokes or changes. Does not rely on cached credentials. */
export const endRevokedStreams = ({ type, data }: RecordedEvent, members: Iterable<StreamMember>): void => {
  const [field, credential] = TAKING[type] ?? [];
  if (field === undefined || credential === undefined) return;
  const id = (data as Fields)[field];
  for (const member of members) if (member[credential] === id) member.response.end();
};

/** Returns the key by which streams are counted. Streams are counted per user or per API key. */
export const streamCountKey = ({ keyId, userId }: Credentials): string =>
  keyId === null ? `user ${userId ?? ''}` : `key ${keyId}`;
