import type { RecordedEventOf } from '../../domain/catalogue.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import type { CheckDocument } from './documents.ts';

type StatusEvent = RecordedEventOf<'CheckCameUp' | 'CheckWentDown' | 'CheckRecovered'>;

const withStatus = ({ data }: StatusEvent, checks: Model<CheckDocument>, status: CheckDocument['status']): void => {
  const check = checks.get(data.check_id);
  if (check) checks.put({ ...check, status });
};

/**
 * Checks and whether what they watch is up. A deleted check keeps its document, so one look at it
 * shows that its results are gone.
 */
export const checks = defineProjection({
  name: 'checks',
  version: 2,
  log: 'main',
  collections: {
    checks: collection<CheckDocument>({ indexes: [{ organization_id: 1, deleted_at: 1, created_at: -1 }] }),
  },
  documents: (event) => ({ checks: [event.data.check_id] }),
  on: {
    CheckCreated: ({ data, metadata }, { checks }) => {
      const { check_id, organization_id, name, type, active, interval, timeout, host, url, port, parameters } = data;
      checks.put({
        id: check_id,
        organization_id,
        name,
        type,
        active,
        interval,
        timeout,
        host,
        url,
        port,
        status: 'pending',
        parameters,
        secrets: [],
        group_id: null,
        position: null,
        created_at: metadata.recorded_at,
        updated_at: metadata.recorded_at,
        parked_at: null,
        deleted_at: null,
      });
    },
    CheckUpdated: ({ data, metadata }, { checks }) => {
      const check = checks.get(data.check_id);
      if (check) checks.put({ ...check, ...data.changes, parked_at: null, updated_at: metadata.recorded_at });
    },
    CheckDeleted: ({ data, metadata }, { checks }) => {
      const check = checks.get(data.check_id);
      if (check) checks.put({ ...check, active: false, deleted_at: metadata.recorded_at });
    },
    CheckCameUp: (event, { checks }) => {
      withStatus(event, checks, 'up');
    },
    CheckWentDown: (event, { checks }) => {
      withStatus(event, checks, 'down');
    },
    CheckRecovered: (event, { checks }) => {
      withStatus(event, checks, 'up');
    },
    CheckParked: ({ data }, { checks }) => {
      const check = checks.get(data.check_id);
      if (check) checks.put({ ...check, parked_at: data.at });
    },
    CheckReleased: ({ data }, { checks }) => {
      const check = checks.get(data.check_id);
      if (check) checks.put({ ...check, parked_at: null });
    },
  },
});
