import type { RecordedEventOf } from '../../domain/catalogue.ts';
import { derivedId } from '../../domain/identity.ts';
import { collection, defineProjection } from '../engine/define.ts';
import type { CheckResultDocument, CheckServerDocument } from './documents.ts';

type Result = RecordedEventOf<'CheckRunCompleted'>;

const serverKey = ({ data }: Result): string => derivedId(JSON.stringify(data.check_server));

const dayOf = (instant: string): string => instant.slice(0, 10);

/**
 * Results of checks, each once: a run that is delivered twice appends its result twice, and only the
 * first one counts (design.md: Two logs).
 */
export const checkResults = defineProjection({
  name: 'check_results',
  version: 1,
  log: 'results',
  collections: {
    check_results: collection<CheckResultDocument>({
      // What lists filter by stands in the index, so that counting reads no documents.
      indexes: [{ check_id: 1, created_at: -1, status: 1, region: 1 }],
      expires: { field: 'created_at' },
    }),
    check_servers: collection<CheckServerDocument>({ indexes: [], expires: { field: 'seen_at' } }),
  },
  documents: (event) => ({ check_results: [event.data.result_id], check_servers: [serverKey(event)] }),
  on: {
    CheckRunCompleted: (event, { check_results, check_servers }) => {
      const { data, metadata } = event;
      if (check_results.get(data.result_id)) return;
      const { execution_id, execution_group_id, reason } = data;
      const server = serverKey(event);
      const created_at = metadata.recorded_at;
      check_results.put({
        id: data.result_id,
        check_id: data.check_id ?? null,
        organization_id: data.organization_id,
        check_type: data.check_type,
        region: data.region,
        result_type: data.result_type,
        ...(execution_id !== undefined && { execution_id }),
        ...(execution_group_id !== undefined && { execution_group_id }),
        created_at,
        status: data.status,
        ...(reason !== undefined && { reason }),
        response_time: data.response_time,
        error_message: data.error_message,
        server,
        check_metadata: data.check_metadata,
      });
      const known = check_servers.get(server);
      // Once a day is enough for its expiry, and gives the same when older results are gone.
      if (!known || dayOf(known.seen_at) < dayOf(created_at))
        check_servers.put({ id: server, check_server: data.check_server, seen_at: created_at });
    },
  },
});
