import { definitionKey } from '../../domain/check/definition-key.ts';
import type { Instant } from '../../domain/time.ts';
import { checks } from '../../projections/checks/projection.ts';
import {
  judgedChecks,
  runsByItself,
  type JudgedCheckDocument,
  type JudgedGroupDocument,
} from '../../projections/judged-checks/projection.ts';
import { quietTagId, type QuietDocument } from '../../projections/quiet-checks/documents.ts';
import { quietChecks } from '../../projections/quiet-checks/projection.ts';
import type { Read } from '../../projections/readers.ts';

export interface CheckReads {
  read: Read;
  /** reads what a position of the main log has made */
  readAfter: (position: number) => Read;
}

/** A check with rules. */
export interface KnownCheck {
  name: string;
  type: string;
  active: boolean;
  active_since: Instant;
  definition: string;
}

/** A check without what its group says. */
interface FollowedCheck
  extends
    Pick<KnownCheck, 'name' | 'type' | 'definition'>,
    Pick<JudgedCheckDocument, 'switched_on' | 'since' | 'group_id' | 'grouped_at'> {
  /** {@link quietTagId} of each of its tags */
  tags: readonly string[];
}

/** The checks that rules are about: what they are, whether they run by themselves, and whether they are quiet. */
export class KnownChecks {
  readonly #reads: CheckReads;
  readonly #touch: (id: string) => void;
  readonly #checks = new Map<string, FollowedCheck>();
  /** the switches of the groups that these checks are in */
  readonly #groups = new Map<string, JudgedGroupDocument>();
  readonly #quiet = new Set<string>();
  /** the tags that these checks have, and whether a maintenance keeps the checks with one quiet */
  readonly #quietTags = new Map<string, boolean>();

  /** @param touch is told of each check that has changed */
  constructor(reads: CheckReads, touch: (id: string) => void) {
    this.#reads = reads;
    this.#touch = touch;
  }

  get(id: string): KnownCheck | null {
    const check = this.#checks.get(id);
    if (!check) return null;
    const { name, type, definition, group_id } = check;
    const group = group_id === null ? undefined : this.#groups.get(group_id);
    return { name, type, definition, ...runsByItself(check, group ?? null) };
  }

  isQuiet(id: string): boolean {
    return this.#quiet.has(id) || (this.#checks.get(id)?.tags.some((tag) => this.#quietTags.get(tag)) ?? false);
  }

  clear(): void {
    for (const known of [this.#checks, this.#groups, this.#quiet, this.#quietTags]) known.clear();
  }

  forget(id: string): void {
    this.#checks.delete(id);
    this.#quiet.delete(id);
  }

  /** Reads those of these checks that are not known yet. */
  async watch(ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#checks.has(id));
    if (unknown.length === 0) return;
    await this.are(await this.#reads.read(judgedChecks).judged_checks.getMany(unknown));
    this.quietAre(await this.#reads.read(quietChecks).quiet_checks.getMany(unknown));
  }

  async are(documents: readonly JudgedCheckDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const last = Math.max(...documents.map(({ changed_position }) => changed_position));
    const details = await this.#reads
      .readAfter(last)(checks)
      .checks.getMany(documents.map(({ id }) => id));
    const byId = new Map(details.map((check) => [check.id, check]));
    for (const { id, switched_on, since, group_id, grouped_at } of documents) {
      const check = byId.get(id);
      if (!check) continue;
      const { name, type, organization_id } = check;
      const definition = definitionKey(check);
      const tags = check.tags.map((tag) => quietTagId(organization_id, tag));
      this.#checks.set(id, { name, type, definition, tags, switched_on, since, group_id, grouped_at });
      this.#touch(id);
    }
    await this.#readTags(documents.flatMap(({ id }) => this.#checks.get(id)?.tags ?? []));
    const groups = new Set(documents.map(({ group_id }) => group_id).filter((id) => id !== null));
    const unknown = [...groups].filter((id) => !this.#groups.has(id));
    if (unknown.length === 0) return;
    for (const group of await this.#reads.read(judgedChecks).judged_groups.getMany(unknown)) {
      this.#groups.set(group.id, group);
    }
  }

  groupsAre(groups: readonly JudgedGroupDocument[]): void {
    for (const group of groups) this.#groups.set(group.id, group);
    const changed = new Set(groups.map(({ id }) => id));
    for (const [id, { group_id }] of this.#checks) {
      if (group_id !== null && changed.has(group_id)) this.#touch(id);
    }
  }

  /** Reads those of these tags that are not known yet. */
  async #readTags(tags: readonly string[]): Promise<void> {
    const unknown = [...new Set(tags)].filter((tag) => !this.#quietTags.has(tag));
    if (unknown.length === 0) return;
    const found = await this.#reads.read(quietChecks).quiet_tags.getMany(unknown);
    const quiet = new Set(found.filter(({ incident_ids }) => incident_ids.length > 0).map(({ id }) => id));
    for (const tag of unknown) this.#quietTags.set(tag, quiet.has(tag));
  }

  /** Takes over which maintenances name tags; those that none of these checks has are left out. */
  quietTagsAre(documents: readonly QuietDocument[]): void {
    const changed = documents.filter(({ id }) => this.#quietTags.has(id));
    if (changed.length === 0) return;
    for (const { id, incident_ids } of changed) this.#quietTags.set(id, incident_ids.length > 0);
    const ids = new Set(changed.map(({ id }) => id));
    for (const [check, { tags }] of this.#checks) if (tags.some((tag) => ids.has(tag))) this.#touch(check);
  }

  quietAre(documents: readonly { id: string; incident_ids: readonly string[] }[]): void {
    for (const { id, incident_ids } of documents) {
      if (incident_ids.length > 0) this.#quiet.add(id);
      else this.#quiet.delete(id);
      this.#touch(id);
    }
  }
}
