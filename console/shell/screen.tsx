import { useSignal } from '@preact/signals';
import type { FunctionComponent, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { unreachable, type Failure } from '../api/failure.ts';
import { Link } from '../parts/link.tsx';
import { Panel } from '../parts/panel.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Loading } from '../parts/loading.tsx';
import { absentMoment, momentProblem, PastContext, pastMoment } from '../past/past.ts';
import type { Params } from '../router/match.ts';
import { currentLocation } from '../router/router.ts';
import { screenAt, type ScreenProps } from '../router/screens.ts';
import { words } from './language.ts';

type Loaded = { path: string; screen: FunctionComponent<ScreenProps> } | { path: string; failure: Failure };

/** Returns the ids in the path of a screen. Other parameters, such as the tab, are parts of the same screen. */
const idsIn = (params: Params): string =>
  Object.entries(params)
    .flatMap(([name, value]) => (name.endsWith('_id') ? [value] : []))
    .join(' ');

/** The screen of the current location. */
export const Screen = (): JSX.Element | null => {
  const found = screenAt(currentLocation.value.path);
  const loaded = useSignal<Loaded | null>(null);
  const round = useSignal(0);
  const path = found?.screen.path;
  const past = pastMoment.value;
  useEffect(() => {
    if (!found || path === undefined) return;
    found.screen.load().then(
      (module) => {
        loaded.value = { path, screen: module.default };
      },
      () => {
        loaded.value = { path, failure: unreachable() };
      },
    );
  }, [path, round.value]);

  if (!found) return <UnknownPath />;
  const shown = loaded.value;
  if (shown === null || shown.path !== path) return <Loading />;
  if ('failure' in shown) return <FailurePanel failure={shown.failure} again={() => (round.value += 1)} />;
  if (momentProblem.value !== null || (past !== null && absentMoment.value === past)) return null;
  return (
    <PastContext.Provider value={past}>
      {/* Forms and dialogs of the present must not survive in a past state, nor the other way round. Those of one
          resource must not survive on the screen of another resource. */}
      <shown.screen key={`${past === null ? 'present' : 'past'} ${idsIn(found.params)}`} params={found.params} />
    </PastContext.Provider>
  );
};

const UnknownPath = (): JSX.Element => {
  const { notFound, notFoundText, backToOverview } = words.value.failure;
  return (
    <Panel title={notFound} text={notFoundText}>
      <Link to="/" class="button">
        {backToOverview}
      </Link>
    </Panel>
  );
};
