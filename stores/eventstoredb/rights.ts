import type { Explain } from '../connection-diagnosis.ts';
import { StoreUnavailable } from '../event-store/port.ts';

/** A right that a user needs: to use persistent subscriptions, or to access a stream of the server. */
export type Right = 'groups' | { verb: 'read' | 'append to'; stream: string };

export const READ_ALL: Right = { verb: 'read', stream: '$all' };

/** The user of EventStoreDB lacks a right. A retry succeeds only after an administrator has granted the right. */
export class RightMissing extends StoreUnavailable {
  readonly explain: Explain;

  constructor(user: string | null, right: Right, options?: ErrorOptions) {
    super('EventStoreDB is not available: it refuses a right.', options);
    this.name = 'RightMissing';
    const remedy = remedyOf(user === null ? 'Its user' : `Its user ${user}`, user ?? '<user>', right);
    this.explain = () => Promise.resolve(remedy);
  }
}

/** Returns the name of the stream that contains the parked messages of a consumer group. */
export const parkedStream = (stream: string, group: string): string =>
  `$persistentsubscription-${stream}::${group}-parked`;

/** Returns sentences that say which right is missing, who can grant it, and how. */
const remedyOf = (who: string, user: string, right: Right): string => {
  const grant = `a member of $admins grants that right with uptrail eventstoredb grant ${user}.`;
  if (right === 'groups') return `${who} may not use persistent subscriptions: make it a member of $ops.`;
  const { verb, stream } = right;
  if (stream === '$all') return `${who} may not read $all: ${grant}`;
  if (stream.startsWith('$persistentsubscription-')) return `${who} may not ${verb} ${stream}: ${grant}`;
  if (stream.startsWith('$$')) {
    return (
      `${who} may not ${verb === 'read' ? 'read' : 'change'} the metadata of the stream ${stream.slice(2)}, ` +
      'so its events are kept for ever, or as long as is set there ($maxAge): check its $acl, or $settings.'
    );
  }
  return `${who} may not ${verb} the stream ${stream}: check its $acl, or $settings.`;
};
