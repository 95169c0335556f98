import type { JSX } from 'preact';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { pageNames } from '../reports/source.ts';
import { ReportForm } from './form.tsx';

/** Requests a report. */
const ReportFormScreen = (): JSX.Element => {
  const { loaded, again } = useLoaded(pageNames, []);
  const { reports: says, screens, failure } = words.value;
  if (!may('POST /v1/reports')) return <Panel title={failure.forbidden} />;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') return <FailurePanel failure={loaded.failure} again={again} />;
  return (
    <>
      <ScreenHead title={says.new} back={{ to: '/reports', label: screens.reports }} />
      <ReportForm pages={loaded.value} />
    </>
  );
};
export default ReportFormScreen;
