import { NotFound } from '../../domain/errors.ts';
import type { EventType } from '../../domain/event-types.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Route } from '../route.ts';
import { isShownNow, shownAt, type AnyCall, type AsOf } from './as-of.ts';
import { resourceEvents, type ResourceEvents } from './resource-events.ts';
import type { Source } from './source.ts';

/** The events of a resource that a caller may read. */
export interface VisibleEvents extends ResourceEvents {
  /** Reads the events at whose times the resource changed, including those that the caller may not read. */
  changes: () => Promise<readonly RecordedEvent[]>;
}

/** Returns the events of the resource that the path names. @throws NotFound the caller cannot see the resource */
export const visibleEvents = async (
  route: Route,
  asOf: AsOf,
  source: Source,
  call: AnyCall,
): Promise<VisibleEvents> => {
  const { own, related } = await resourceEvents(call, source);
  if (own.length === 0 || !(await isAccessible(route, asOf, call, own))) throw new NotFound('Not found.');
  const readable = (events: readonly RecordedEvent[]): readonly RecordedEvent[] =>
    call.may('audit.read') ? events : events.filter(isForAll);
  return {
    own: readable(own),
    related: async () => readable(await related()),
    changes: async () => [...own, ...(await related())].filter(isChange),
  };
};

/**
 * Tests whether the route of the resource shows the resource to the caller, now or, if the resource was deleted, before
 * its deletion. So the history has the same access checks as the resource itself.
 */
const isAccessible = async (
  route: Route,
  asOf: AsOf,
  call: AnyCall,
  own: readonly RecordedEvent[],
): Promise<boolean> => {
  if (await isShownNow(route, call)) return true;
  const moments = [own.at(-1), own.at(-2), own[0]].map((event) => event?.metadata.recorded_at);
  for (const at of new Set(moments))
    if (at !== undefined && (await shownAt(route, asOf, call, at)) !== null) return true;
  return false;
};

/** Events that change nothing that a resource shows. They are about its use, and only auditors may read them. */
const UNCHANGING: ReadonlySet<string> = new Set<EventType>([
  'AlertChannelTested',
  'PageSubscribersExported',
  'PasswordResetRequested',
  'RecoveryCodeUsed',
  'SecretValueRead',
  'SignInsFailed',
]);

export const isChange = ({ type }: RecordedEvent): boolean => !UNCHANGING.has(type);

/** A sign-in changes the last sign-in of a user, but only auditors may read how the user signed in. */
const isForAll = (event: RecordedEvent): boolean => isChange(event) && event.type !== 'SessionStarted';
