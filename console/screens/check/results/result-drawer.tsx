import type { ComponentChildren, JSX } from 'preact';
import { StatePill } from '../../../../views/status/state.tsx';
import { Drawer } from '../../../parts/overlays/drawer.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { Link } from '../../../parts/link.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { regionText } from '../../../parts/region-text.ts';
import { Moment } from '../../../parts/times/since.tsx';
import { call } from '../../../session/call.ts';
import { useLoaded } from '../../../session/loaded.ts';
import { language, words } from '../../../shell/language.ts';
import { timeText } from '../../checks/figures.ts';
import { Server } from '../regions.tsx';
import type { Check, Result } from '../source.ts';
import { Metadata } from './metadata.tsx';
import { stateOfResult } from './status.ts';

export interface ResultDrawerProps {
  check: Check;
  /** id of the result */
  id: string;
  /** the already loaded part of the result */
  known: Result | null;
  onClose: () => void;
}

/** A drawer that shows a result with its complete content. */
export const ResultDrawer = ({ check, id, known, onClose }: ResultDrawerProps): JSX.Element => {
  const params = { check_id: check.id, result_id: id };
  const { loaded, again } = useLoaded(
    async (signal) => known ?? call('GET /v1/checks/{check_id}/results/{result_id}', { params }, { signal }),
    [id],
  );
  const result = known ?? (loaded.status === 'loaded' ? loaded.value : null);
  const { check: says } = words.value;
  return (
    <Drawer title={says.result} onClose={onClose}>
      {result === null && loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {result && (
        <div class="result">
          <p class="state">
            <StatePill state={stateOfResult(result)} label={says.statuses[result.status]} />
            <Moment instant={result.created_at} />
          </p>
          {result.error_message !== null && (
            <p class="notice message">
              <bdi>{result.error_message}</bdi>
            </p>
          )}
          {result.suspect && <p class="notice">{says.suspectText}</p>}
          <Facts facts={factsOf(result)} />
          <Metadata type={check.type} metadata={result.check_metadata} />
        </div>
      )}
    </Drawer>
  );
};

const factsOf = (result: Result): [string, ComponentChildren][] => {
  const { check: says } = words.value;
  return [
    [says.responseTime, timeText(result.response_time, language.value)],
    [says.region, <bdi>{regionText(result.check_server.region)}</bdi>],
    [says.server, <Server server={result.check_server} />],
    [says.kind, result.result_type === 'on_demand' ? says.onDemand : says.scheduled],
    ...(result.triggered_alerts.length > 0
      ? [
          [
            says.firedAlerts,
            <>
              {result.triggered_alerts.map(({ id, title }) => (
                <Link key={id} to={`/alerts/${id}`} class="block">
                  <bdi>{title}</bdi>
                </Link>
              ))}
            </>,
          ] as [string, ComponentChildren],
        ]
      : []),
    ['ID', <code>{result.id}</code>],
  ];
};
