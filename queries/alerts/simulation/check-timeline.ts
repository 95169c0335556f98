import type { CheckEvent } from '../../../domain/check/events.ts';
import { definitionKey } from '../../../domain/check/definition-key.ts';
import { checkDecider, isLive, type Check } from '../../../domain/check/state.ts';
import { streamOf } from '../../../domain/decider.ts';
import { byPosition, type RecordedEvent } from '../../../domain/event.ts';
import type { EventType, RecordedEventOf } from '../../../domain/event-types.ts';
import { laterOf, type Instant } from '../../../domain/time.ts';
import { DirectFold } from '../../../projections/engine/direct-fold.ts';
import { judgedChecks, runsByItself } from '../../../projections/judged-checks/projection.ts';
import { suppressedTagId } from '../../../projections/quiet-checks/documents.ts';
import type { ReadEvents, SuppressionChange } from './suppression-history.ts';

/** The state of a check that its rules depend on, besides its results. */
export interface TimelineState {
  /** null if the check does not exist yet, or was deleted */
  check: { name: string; type: string; active: boolean; active_since: Instant; definition: string } | null;
  isDeleted: boolean;
  /** whether a maintenance suppresses its alerts */
  quiet: boolean;
  /** the tags of the check; empty if `check` is null */
  tags: readonly string[];
}

type Change = { at: Instant } & ({ event: RecordedEventOf<EventType> } | { suppression: SuppressionChange });

/** The events of a check and of the groups that it was in, as far as rules depend on them, in the order of the log. */
export const readCheckEvents = async (
  checkId: string,
  organizationId: string,
  readEvents: ReadEvents,
): Promise<readonly RecordedEvent[]> => {
  const only = { check: [streamOf('check', checkId)] };
  const own = await readEvents({ organizationId, only }, ['check']);
  const groups = new Set(own.map(({ data }) => (data as { group_id?: string | null }).group_id ?? null));
  groups.delete(null);
  const streams = [...groups].map((id) => streamOf('check_group', id ?? ''));
  const ofGroups =
    streams.length === 0 ? [] : await readEvents({ organizationId, only: { check_group: streams } }, ['check_group']);
  return [...own, ...ofGroups].filter(({ type }) => type in judgedChecks.on).sort(byPosition);
};

/** The tags that a check has ever had. */
export const tagsEverOf = (events: readonly RecordedEvent[]): string[] => [
  ...new Set(events.flatMap((event) => tagsSetBy(event) ?? [])),
];

/** Returns the tags that an event gives a check; undefined if the event does not set tags. */
const tagsSetBy = ({ data }: RecordedEvent): readonly string[] | undefined => {
  const { tags, changes } = data as { tags?: string[]; changes?: { tags?: string[] } };
  return tags ?? changes?.tags;
};

/** Whether a check had a tag at some time in a period. @param events see {@link readCheckEvents} */
export const hadTagIn = (
  { from, to }: { from: Instant; to: Instant },
  { id, tag }: { id: string; tag: string },
  events: readonly RecordedEvent[],
): boolean => {
  let at: Instant = '';
  let hasTag = false;
  for (const event of events) {
    const tags = event.stream === streamOf('check', id) ? tagsSetBy(event) : undefined;
    if (!tags) continue;
    at = laterOf(at, event.metadata.recorded_at);
    if (at >= to) break;
    if (hasTag && at >= from) return true;
    hasTag = tags.includes(tag);
  }
  return hasTag;
};

/** Follows the state of a check through time: its definition, whether it was active, and maintenances. */
export class CheckTimeline {
  readonly #id: string;
  readonly #organizationId: string;
  readonly #changes: readonly Change[];
  readonly #judged = new DirectFold(judgedChecks);
  readonly #suppressed = new Set<string>();
  #check: Check = checkDecider.initialState;
  #passed = 0;
  #state: TimelineState | null = null;

  /** @param events see {@link readCheckEvents} */
  constructor(
    { id, organization_id }: { id: string; organization_id: string },
    events: readonly RecordedEvent[],
    suppressions: readonly SuppressionChange[],
  ) {
    this.#id = id;
    this.#organizationId = organization_id;
    let at: Instant = '';
    const own = (events as readonly RecordedEventOf<EventType>[]).map((event): Change => {
      at = laterOf(at, event.metadata.recorded_at);
      return { at, event };
    });
    const quiet = suppressions.map((suppression): Change => ({ at: suppression.at, suppression }));
    this.#changes = [...own, ...quiet].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  }

  /** The time of the next change; null if there is none. */
  get next(): Instant | null {
    return this.#changes[this.#passed]?.at ?? null;
  }

  /** The present state: the state after all changes that `advance` has passed. */
  get state(): TimelineState {
    this.#state ??= this.#read();
    return this.#state;
  }

  /** Passes all changes up to and including a time. */
  advance(at: Instant): void {
    for (let change = this.#changes[this.#passed]; change && change.at <= at; change = this.#changes[this.#passed]) {
      this.#passed += 1;
      this.#state = null;
      if ('event' in change) this.#apply(change.event);
      else if (change.suppression.isSuppressed) this.#suppressed.add(change.suppression.id);
      else this.#suppressed.delete(change.suppression.id);
    }
  }

  #apply(event: RecordedEventOf<EventType>): void {
    this.#judged.apply(event);
    if (event.stream === streamOf('check', this.#id)) {
      this.#check = checkDecider.evolve(this.#check, event as CheckEvent);
    }
  }

  #read(): TimelineState {
    const check = this.#check;
    const { judged_checks, judged_groups } = this.#judged.models;
    const judged = judged_checks.get(this.#id);
    if (!isLive(check) || !judged) {
      return { check: null, isDeleted: check.status === 'deleted', quiet: false, tags: [] };
    }
    const { type, settings } = check;
    const group = judged.group_id === null ? undefined : judged_groups.get(judged.group_id);
    const suppressing = [this.#id, ...settings.tags.map((tag) => suppressedTagId(this.#organizationId, tag))];
    return {
      check: {
        name: settings.name,
        type,
        definition: definitionKey({ type, ...settings }),
        ...runsByItself(judged, group ?? null),
      },
      isDeleted: false,
      quiet: suppressing.some((id) => this.#suppressed.has(id)),
      tags: settings.tags,
    };
  }
}
