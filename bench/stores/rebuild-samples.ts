import { collection, defineProjection, type AnyProjection } from '../../projections/engine/fold/define.ts';
import type { NewEvent } from '../../domain/event.ts';
import { instantOf } from '../../domain/time.ts';

/**
 * Creates the nth event of a log with ten changes per incident. The changes of a few hundred incidents are interleaved.
 */
export const sampleEvent = (n: number, id: string): NewEvent => {
  const incident = (Math.floor(n / 10) + ((n * 7_919) % 300)).toString(36).padStart(12, '0');
  const at = instantOf(Date.UTC(2026, 0, 1) + n * 1_000);
  const statuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
  return {
    id,
    type: 'IncidentStatusChanged',
    data: {
      incident_id: incident,
      page_id: (n % 100).toString(36).padStart(12, 'p'),
      changed_at: at,
      changes: { status: statuses[n % 4] },
      previous: { status: statuses[(n + 3) % 4] },
      components: {},
    },
    metadata: {
      $correlationId: id,
      $causationId: id,
      command_id: id,
      actor: { kind: 'api_key', id: 'k1k2k3k4k5k6', role: 'editor' },
      organization_id: 'o1o2o3o4o5o6',
      recorded_at: at,
      schema_version: 1,
    },
  };
};

interface Summary {
  id: string;
  status: string;
  changes: number;
  updated_at: string;
}

/** Folds the events of each incident into a small document. */
const summaries = defineProjection({
  name: 'summaries',
  version: 1,
  log: 'main',
  collections: { summaries: collection<Summary>({ indexes: [{ status: 1, updated_at: -1 }] }) },
  documents: ({ data }) => ({ summaries: [data.incident_id] }),
  on: {
    IncidentStatusChanged: ({ data }, { summaries }) => {
      const changes = (summaries.get(data.incident_id)?.changes ?? 0) + 1;
      summaries.put({ id: data.incident_id, status: data.changes.status, changes, updated_at: data.changed_at });
    },
  },
});

export interface Entry {
  id: string;
  incident_id: string;
  page_id: string;
  status: string;
  created_at: string;
}

export const entriesDeclaration = { indexes: [{ page_id: 1, created_at: -1 }, { incident_id: 1 }] } as const;

/** Writes a document for each event. */
const entries = defineProjection({
  name: 'entries',
  version: 1,
  log: 'main',
  collections: { entries: collection<Entry>(entriesDeclaration) },
  documents: () => ({}),
  on: {
    IncidentStatusChanged: ({ id, data }, { entries }) => {
      const { incident_id, page_id, changed_at, changes } = data;
      entries.put({ id, incident_id, page_id, status: changes.status, created_at: changed_at });
    },
  },
});

export const samples: Record<string, AnyProjection> = { summaries, entries };
