import type { Explain } from '../connection-trouble.ts';
import { StoreUnavailable } from '../event-store/port.ts';

/** What a user has to be allowed: to use persistent subscriptions, or something with a stream of the server. */
export type Right = 'groups' | { verb: 'read' | 'append to'; stream: string };

export const READ_ALL: Right = { verb: 'read', stream: '$all' };

/** A user of EventStoreDB lacks a right; trying again helps only after somebody has given it. */
export class RightMissing extends StoreUnavailable {
  readonly explain: Explain;

  constructor(user: string | null, right: Right, options?: ErrorOptions) {
    super('EventStoreDB is not available: it refuses a right.', options);
    this.name = 'RightMissing';
    const remedy = remedyOf(user === null ? 'Its user' : `Its user ${user}`, user ?? '<user>', right);
    this.explain = () => Promise.resolve(remedy);
  }
}

/** Name of the stream that holds what a group of consumers has parked. */
export const parkedStream = (stream: string, group: string): string =>
  `$persistentsubscription-${stream}::${group}-parked`;

/** What is missing, and who gives it how. */
const remedyOf = (who: string, user: string, right: Right): string => {
  const grant = `a member of $admins gives that right by uptrail eventstoredb grant ${user}.`;
  if (right === 'groups') return `${who} may not use persistent subscriptions: make it a member of $ops.`;
  const { verb, stream } = right;
  if (stream === '$all') return `${who} may not read $all: ${grant}`;
  if (stream.startsWith('$persistentsubscription-')) return `${who} may not ${verb} ${stream}: ${grant}`;
  if (stream.startsWith('$$')) {
    return (
      `${who} may not ${verb === 'read' ? 'read' : 'change'} the metadata of the stream ${stream.slice(2)}, ` +
      'so that its events are kept for ever, or as long as is set there ($maxAge): look at its $acl, or at $settings.'
    );
  }
  return `${who} may not ${verb} the stream ${stream}: look at its $acl, or at $settings.`;
};
