import type { Verdict } from '../../domain/check/verdict.ts';
import { collection, defineProjection } from '../engine/define.ts';

/**
 * What the newest run says of a check: the to-do list of the reactor that lets checks come up, go
 * down and recover (commands/reactors/check-status.ts).
 */
export interface CheckVerdictDocument extends Verdict {
  /** the check's */
  id: string;
  organization_id: string;
  /**
   * Position of the event that made the verdict another one, or was the first of its day: what
   * stands after the position that the reactor has handled is to be done. The first of a day, because
   * what is older than retention must not show in the document.
   */
  changed_position: number;
}

export const checkVerdicts = defineProjection({
  name: 'check_verdicts',
  version: 1,
  log: 'results',
  collections: {
    check_verdicts: collection<CheckVerdictDocument>({
      indexes: [{ changed_position: 1 }],
      expires: { field: 'at' },
    }),
  },
  documents: (event) => (event.data.check_id === undefined ? {} : { check_verdicts: [event.data.check_id] }),
  on: {
    CheckRunCompleted: ({ data, metadata, position }, { check_verdicts }) => {
      const { check_id, slot, status } = data;
      if (check_id === undefined) return;
      const known = check_verdicts.get(check_id);
      // A late result changes nothing, nor does one that comes twice.
      if (known && slot <= known.slot) return;
      const at = metadata.recorded_at;
      const good = status === 'ok';
      const same = known?.good === good && known.at.slice(0, 10) === at.slice(0, 10);
      check_verdicts.put({
        id: check_id,
        organization_id: data.organization_id,
        good,
        check_id,
        result_id: data.result_id,
        run_id: data.run_id,
        slot,
        region: data.region,
        at,
        error_message: data.error_message,
        changed_position: same ? known.changed_position : Number(position),
      });
    },
  },
});
