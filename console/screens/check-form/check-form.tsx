import type { JSX } from 'preact';
import type { Failure } from '../../api/failure.ts';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { currentLocation } from '../../router/router.ts';
import type { Params } from '../../router/match.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { CheckForm } from './form.tsx';
import { loadForm } from './sources.ts';

/** The form that creates or changes a check. */
const CheckFormScreen = ({ params }: { params: Params }): JSX.Element => {
  const check_id = params['check_id'] ?? null;
  const isAllowed = may(check_id === null ? 'POST /v1/checks' : 'PATCH /v1/checks/{check_id}');
  const { query } = currentLocation.value;
  if (!isAllowed) return <Message title={words.value.failure.forbidden} />;
  return <Loaded key={`${check_id ?? ''} ${query.toString()}`} check_id={check_id} query={query} />;
};
export default CheckFormScreen;

const Message = ({ title, text }: { title: string; text?: string }): JSX.Element => (
  <Panel title={title} {...(text !== undefined && { text })}>
    <Link to="/checks" class="button">
      {words.value.screens.checks}
    </Link>
  </Panel>
);

const isGone = (failure: Failure): boolean => failure.status === 404;

const Loaded = ({ check_id, query }: { check_id: string | null; query: URLSearchParams }): JSX.Element => {
  const { loaded, again } = useLoaded((signal) => loadForm(check_id, query, signal), []);
  const { checkForm: says, common, screens } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') {
    if (isGone(loaded.failure)) return <Message title={common.gone} text={common.goneText} />;
    return <FailurePanel failure={loaded.failure} again={again} />;
  }
  const { source } = loaded.value;
  return (
    <>
      <ScreenHead
        title={check_id === null ? says.titleNew : says.titleEdit}
        back={
          check_id === null
            ? { to: '/checks', label: screens.checks }
            : { to: `/checks/${check_id}`, label: source.name ?? screens.checks }
        }
      />
      <CheckForm key={loaded.value.revision ?? 0} check_id={check_id} {...loaded.value} onReload={again} />
    </>
  );
};
