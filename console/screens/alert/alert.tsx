import type { JSX } from 'preact';
import type { Params } from '../../router/match.ts';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { words } from '../../shell/language.ts';
import { Details } from './details.tsx';
import { oneAlert } from './source.ts';

/** The screen of an alert, with its timeline. */
const AlertScreen = ({ params }: { params: Params }): JSX.Element => {
  const id = params['alert_id'] ?? '';
  const { loaded, again, change } = useLive(oneAlert(id), [id]);
  if (loaded.status === 'loading') return <Loading />;
  const failure = loaded.status === 'failed' ? loaded.failure : null;
  if (failure?.status === 404) return <NotFoundPanel to="/alerts" label={words.value.screens.alerts} />;
  if (failure && loaded.value === null) return <FailurePanel failure={failure} again={again} />;
  if (loaded.value === null) return <Loading />;
  return (
    <>
      {failure && <FailureLine failure={failure} again={again} />}
      <Details
        {...loaded.value}
        again={again}
        onChange={(alert) => {
          change((value) => ({ ...value, alert }));
        }}
      />
    </>
  );
};
export default AlertScreen;
