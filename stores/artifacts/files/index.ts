import type { Connection } from '../../sqlite/open.ts';
import type { Instant } from '../../../domain/time.ts';
import { selectSurplus } from '../limits.ts';
import type { Artifact, ArtifactLimits, Usage } from '../port.ts';

/** An artifact and the name of its content file. */
export interface IndexedArtifact extends Artifact {
  content: string;
}

/** Schema of the index. A content file without a row is invisible to readers, and the next sweep removes it. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE artifacts (
    id TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL,
    run_id TEXT,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    created_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    content TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE INDEX by_run ON artifacts (organization_id, run_id, created_at, id) WHERE run_id IS NOT NULL;
  CREATE INDEX by_organization ON artifacts (organization_id, created_at, id);
  CREATE INDEX by_age ON artifacts (created_at, id);
  CREATE INDEX of_runs ON artifacts (created_at, id) WHERE run_id IS NOT NULL;

  CREATE TABLE usage (
    organization_id TEXT NOT NULL PRIMARY KEY,
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER added AFTER INSERT ON artifacts BEGIN
    INSERT INTO usage (organization_id, files, bytes) VALUES (new.organization_id, 1, new.size)
    ON CONFLICT (organization_id) DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER removed AFTER DELETE ON artifacts BEGIN
    UPDATE usage SET files = files - 1, bytes = bytes - old.size WHERE organization_id = old.organization_id;
    DELETE FROM usage WHERE organization_id = old.organization_id AND files = 0;
  END;
  `,
];

const SUMS = 'SELECT COALESCE(SUM(files), 0) AS files, COALESCE(SUM(bytes), 0) AS bytes FROM usage';
const PAGE = 500;

/** Operations on the index. Each operation is one transaction. */
export interface FileArtifactIndex {
  find: (id: string) => IndexedArtifact | undefined;
  ofRun: (organizationId: string, runId: string) => IndexedArtifact[];
  run: (organizationId: string, runId: string | null) => Usage;
  usage: (organizationId?: string) => Usage;
  /** a page of artifacts after the given one, oldest first; null: the first page */
  page: (after: Pick<Artifact, 'created_at' | 'id'> | null) => IndexedArtifact[];
  hasContent: (content: string) => boolean;
  /**
   * Adds an artifact, and removes the organization's oldest artifacts until the organization is within its limit.
   *
   * @param refuse called within the transaction; may throw to roll it back
   * @returns the removed artifacts
   */
  add: (artifact: IndexedArtifact, refuse: () => void) => IndexedArtifact[];
  remove: (id: string) => IndexedArtifact | undefined;
  /**
   * Removes a batch of the artifacts that runs created before an instant.
   *
   * @returns the removed artifacts; empty when none are left
   */
  removeOfRunsBefore: (before: Instant) => IndexedArtifact[];
}

export const openFileIndex = (connection: Connection, limits: ArtifactLimits): FileArtifactIndex => {
  const find = connection.prepare<[string], IndexedArtifact>('SELECT * FROM artifacts WHERE id = ?');
  const ofRun = connection.prepare<[string, string], IndexedArtifact>(
    'SELECT * FROM artifacts WHERE organization_id = ? AND run_id = ? ORDER BY created_at, id',
  );
  const run = connection.prepare<[string, string | null], Usage>(
    `SELECT COUNT(*) AS files, COALESCE(SUM(size), 0) AS bytes FROM artifacts
     WHERE organization_id = ? AND run_id = ? AND run_id IS NOT NULL`,
  );
  const total = connection.prepare<[], Usage>(SUMS);
  const ofOrganization = connection.prepare<[string], Usage>(`${SUMS} WHERE organization_id = ?`);
  const oldest = connection.prepare<[string, number], IndexedArtifact>(
    'SELECT * FROM artifacts WHERE organization_id = ? ORDER BY created_at, id LIMIT ?',
  );
  const page = connection.prepare<[string, string, number], IndexedArtifact>(
    'SELECT * FROM artifacts WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?',
  );
  const content = connection.prepare<[string]>('SELECT 1 FROM artifacts WHERE content = ?');
  const insert = connection.prepare<[IndexedArtifact]>(
    `INSERT INTO artifacts (id, organization_id, run_id, name, media_type, created_at, size, sha256, content)
     VALUES (@id, @organization_id, @run_id, @name, @media_type, @created_at, @size, @sha256, @content)`,
  );
  const remove = connection.prepare<[string], IndexedArtifact>('DELETE FROM artifacts WHERE id = ? RETURNING *');
  const removeOld = connection.prepare<[string, number], IndexedArtifact>(
    `DELETE FROM artifacts WHERE id IN (
       SELECT id FROM artifacts WHERE created_at < ? AND run_id IS NOT NULL ORDER BY created_at, id LIMIT ?
     ) RETURNING *`,
  );
  const NONE: Usage = { files: 0, bytes: 0 };
  const usageOf = (organizationId: string): Usage => ofOrganization.get(organizationId) ?? NONE;

  /** Removes the organization's oldest artifacts, page by page, until the organization is within its limit. */
  const makeRoom = (organizationId: string): IndexedArtifact[] => {
    const gone: IndexedArtifact[] = [];
    for (;;) {
      const going = selectSurplus(oldest.all(organizationId, PAGE), usageOf(organizationId).bytes, limits);
      if (going.length === 0) return gone;
      for (const { id } of going) remove.get(id);
      gone.push(...going);
    }
  };

  const add = connection.transaction((artifact: IndexedArtifact, refuse: () => void): IndexedArtifact[] => {
    refuse();
    insert.run(artifact);
    return makeRoom(artifact.organization_id);
  });

  return {
    find: (id) => find.get(id),
    ofRun: (organizationId, runId) => ofRun.all(organizationId, runId),
    run: (organizationId, runId) => run.get(organizationId, runId) ?? NONE,
    usage: (organizationId) => (organizationId === undefined ? (total.get() ?? NONE) : usageOf(organizationId)),
    page: (after) => page.all(after?.created_at ?? '', after?.id ?? '', PAGE),
    hasContent: (name) => content.get(name) !== undefined,
    add: (artifact, refuse) => add.immediate(artifact, refuse),
    remove: (id) => remove.get(id),
    removeOfRunsBefore: (before) => removeOld.all(before, PAGE),
  };
};
