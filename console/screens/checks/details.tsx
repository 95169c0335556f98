import type { JSX } from 'preact';
import { StatePill } from '../../../views/status/state.tsx';
import { Drawer } from '../../parts/drawer.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Since } from '../../parts/since.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { mayWrite } from '../../session/may.ts';
import { language, words } from '../../shell/language.ts';
import { durationOf } from '../../parts/since.tsx';
import { stateOf, timeText, uptimeText } from './figures.ts';
import type { Row } from './filter.ts';

export interface DetailsProps {
  row: Row;
  busy: boolean;
  onRun: () => void;
  onPause: () => void;
  onClose: () => void;
}

/** What is known of one check, beside the list. */
export const Details = ({ row, busy, onRun, onPause, onClose }: DetailsProps): JSX.Element => {
  const { loaded, again } = useLoaded(
    (signal) => call('GET /v1/checks/{check_id}', { params: { check_id: row.id } }, { signal }),
    [row.id],
  );
  const { checks: says, states } = words.value;
  const check = loaded.status === 'loaded' ? loaded.value : null;
  const facts: [string, JSX.Element | string][] = [
    [says.type, row.type],
    [says.target, check ? <bdi>{check.url ?? check.host ?? '–'}</bdi> : '…'],
    [says.interval, check ? durationOf(check.interval, language.value) : '…'],
    [says.responseTime, timeText(row.response_time, language.value)],
    [says.uptimeDay, uptimeText(row.uptime_24h, language.value)],
    [says.uptime, uptimeText(row.uptime_30d, language.value)],
    [says.tags, row.tags.join(' ') || '–'],
  ];
  return (
    <Drawer title={row.name} onClose={onClose}>
      <p class="state">
        <StatePill state={stateOf(row.status)} label={states[row.status]} />
        {row.since !== null && <Since instant={row.since} />}
      </p>
      {row.status === 'down' && row.error_message !== null && (
        <p class="notice message">
          <bdi>{row.error_message}</bdi>
        </p>
      )}
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <figure>
        <figcaption class="fine">{says.hours}</figcaption>
        <Sparkline hours={row.hours} failed={row.failed_hours} />
      </figure>
      <Facts facts={facts} />
      {mayWrite() && (
        <div class="actions">
          <button class="button" disabled={busy || !row.active} onClick={onRun}>
            {says.run}
          </button>
          <button class="button" disabled={busy} onClick={onPause}>
            {row.active ? says.pause : says.resume}
          </button>
        </div>
      )}
    </Drawer>
  );
};
