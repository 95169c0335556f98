import { definitionKey } from '../../domain/check/definition-key.ts';
import type { Instant } from '../../domain/time.ts';
import { checks } from '../../projections/checks/projection.ts';
import {
  judgedChecks,
  runsByItself,
  type JudgedCheckDocument,
  type JudgedGroupDocument,
} from '../../projections/judged-checks/projection.ts';
import { suppressedTagId, type SuppressionDocument } from '../../projections/quiet-checks/documents.ts';
import { quietChecks } from '../../projections/quiet-checks/projection.ts';
import type { Read } from '../../projections/readers.ts';

export interface CheckReads {
  read: Read;
  /** Returns a reader of a state that contains all events of the main log up to `position`. */
  readAfter: (position: number) => Read;
}

/** A check that rules target. */
export interface CachedCheck {
  name: string;
  type: string;
  active: boolean;
  active_since: Instant;
  definition: string;
}

/** A check without the settings that it inherits from its group. */
interface FollowedCheck
  extends
    Pick<CachedCheck, 'name' | 'type' | 'definition'>,
    Pick<JudgedCheckDocument, 'switched_on' | 'since' | 'group_id' | 'grouped_at'> {
  /** The tags of the check, each as its {@link suppressedTagId}. */
  tags: readonly string[];
}

/** Callbacks of the cache. Each tag is given as its {@link suppressedTagId}. */
export interface CheckChangeListener {
  /** Returns whether any rule targets the check, by its id or by one of its tags. */
  wants: (id: string, tags: readonly string[]) => boolean;
  /** Called for each check that has changed. */
  touch: (id: string) => void;
  /** Called for each check that was read from the read model. `tags` contains its present and its former tags. */
  retagged: (id: string, tags: readonly string[]) => void;
}

/** Number of checks read in one query. */
const PAGE = 1_000;

/**
 * In-memory copy of the checks that rules target. For each check it knows the settings, whether the check runs on a
 * schedule, and whether a maintenance suppresses its alerts.
 */
export class CheckCache {
  readonly #reads: CheckReads;
  readonly #follower: CheckChangeListener;
  readonly #checks = new Map<string, FollowedCheck>();
  /** Settings of the groups that the checks belong to, by group id. */
  readonly #groups = new Map<string, JudgedGroupDocument>();
  readonly #quiet = new Set<string>();
  /** The tags of the checks, and for each tag whether a maintenance suppresses the alerts of checks with that tag. */
  readonly #quietTags = new Map<string, boolean>();
  /** Ids of checks, by tag. */
  readonly #byTag = new Map<string, Set<string>>();

  constructor(reads: CheckReads, follower: CheckChangeListener) {
    this.#reads = reads;
    this.#follower = follower;
  }

  get(id: string): CachedCheck | null {
    const check = this.#checks.get(id);
    if (!check) return null;
    const { name, type, definition, group_id } = check;
    const group = group_id === null ? undefined : this.#groups.get(group_id);
    return { name, type, definition, ...runsByItself(check, group ?? null) };
  }

  has(id: string): boolean {
    return this.#checks.has(id);
  }

  /** Returns the tags of a check. Empty if the check is not in memory. */
  tagsOf(id: string): readonly string[] {
    return this.#checks.get(id)?.tags ?? [];
  }

  /** Returns the ids of the checks with a tag. */
  withTag(tag: string): ReadonlySet<string> {
    return this.#byTag.get(tag) ?? NONE;
  }

  isSuppressed(id: string): boolean {
    return this.#quiet.has(id) || (this.#checks.get(id)?.tags.some((tag) => this.#quietTags.get(tag)) ?? false);
  }

  clear(): void {
    for (const known of [this.#checks, this.#groups, this.#quiet]) known.clear();
    for (const known of [this.#byTag, this.#quietTags]) known.clear();
  }

  forget(id: string): void {
    this.#index(id, this.tagsOf(id), []);
    this.#checks.delete(id);
    this.#quiet.delete(id);
  }

  /** Forgets a check if no rule targets it any more. */
  forgetUnwanted(id: string): void {
    if (this.has(id) && !this.#follower.wants(id, this.tagsOf(id))) this.forget(id);
  }

  /** Reads the given checks into memory, except those that are already there. */
  async watch(ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#checks.has(id));
    for (let first = 0; first < unknown.length; first += PAGE) {
      const page = unknown.slice(first, first + PAGE);
      await this.update(await this.#reads.read(judgedChecks).judged_checks.getMany(page));
    }
  }

  async update(documents: readonly JudgedCheckDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const last = Math.max(...documents.map(({ changed_position }) => changed_position));
    const details = await this.#reads
      .readAfter(last)(checks)
      .checks.getMany(documents.map(({ id }) => id));
    const byId = new Map(details.map((check) => [check.id, check]));
    const groups = new Set<string>();
    const fresh: string[] = [];
    for (const { id, switched_on, since, group_id, grouped_at } of documents) {
      const check = byId.get(id);
      if (!check) continue;
      const { name, type, organization_id } = check;
      const tags = check.tags.map((tag) => suppressedTagId(organization_id, tag));
      const isKnown = this.has(id);
      const isWanted = this.#follower.wants(id, tags);
      if (!isKnown && !isWanted) continue;
      const before = this.tagsOf(id);
      const definition = definitionKey(check);
      this.#checks.set(id, { name, type, definition, tags, switched_on, since, group_id, grouped_at });
      this.#index(id, before, tags);
      this.#follower.touch(id);
      this.#follower.retagged(id, [...new Set([...before, ...tags])]);
      if (!isKnown) fresh.push(id);
      if (group_id !== null) groups.add(group_id);
      if (!isWanted) this.forget(id);
    }
    await this.#readTags(documents.flatMap(({ id }) => this.tagsOf(id)));
    if (fresh.length > 0) this.updateSuppressedChecks(await this.#reads.read(quietChecks).quiet_checks.getMany(fresh));
    const unknown = [...groups].filter((id) => !this.#groups.has(id));
    if (unknown.length === 0) return;
    for (const group of await this.#reads.read(judgedChecks).judged_groups.getMany(unknown)) {
      this.#groups.set(group.id, group);
    }
  }

  updateGroups(groups: readonly JudgedGroupDocument[]): void {
    for (const group of groups) this.#groups.set(group.id, group);
    const changed = new Set(groups.map(({ id }) => id));
    for (const [id, { group_id }] of this.#checks) {
      if (group_id !== null && changed.has(group_id)) this.#follower.touch(id);
    }
  }

  /** Reads the given tags into memory, except those that are already there. */
  async #readTags(tags: readonly string[]): Promise<void> {
    const unknown = [...new Set(tags)].filter((tag) => !this.#quietTags.has(tag));
    if (unknown.length === 0) return;
    const found = await this.#reads.read(quietChecks).quiet_tags.getMany(unknown);
    const quiet = new Set(found.filter(({ incident_ids }) => incident_ids.length > 0).map(({ id }) => id));
    for (const tag of unknown) this.#quietTags.set(tag, quiet.has(tag));
  }

  /** Updates which tags are named by a maintenance. Ignores tags that no check in memory has. */
  updateSuppressedTags(documents: readonly SuppressionDocument[]): void {
    for (const { id, incident_ids } of documents) {
      if (!this.#quietTags.has(id)) continue;
      this.#quietTags.set(id, incident_ids.length > 0);
      for (const check of this.withTag(id)) this.#follower.touch(check);
    }
  }

  updateSuppressedChecks(documents: readonly { id: string; incident_ids: readonly string[] }[]): void {
    for (const { id, incident_ids } of documents) {
      if (incident_ids.length > 0) this.#quiet.add(id);
      else this.#quiet.delete(id);
      this.#follower.touch(id);
    }
  }

  #index(id: string, before: readonly string[], after: readonly string[]): void {
    for (const tag of before) {
      this.#byTag.get(tag)?.delete(id);
      if (this.#byTag.get(tag)?.size === 0) this.#byTag.delete(tag);
    }
    for (const tag of after) this.#byTag.set(tag, (this.#byTag.get(tag) ?? new Set()).add(id));
  }
}

const NONE: ReadonlySet<string> = new Set();
