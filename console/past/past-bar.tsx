import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { FailureLine } from '../parts/failure-line.tsx';
import { Panel } from '../parts/panel.tsx';
import { historyAt, type ScreenHistory } from '../router/histories.ts';
import { currentLocation, exactHref, navigate } from '../router/router.ts';
import { useLoaded } from '../session/loaded.ts';
import { fullText } from '../parts/times/since.tsx';
import { words } from '../shell/language.ts';
import { MomentForm } from './moment-form.tsx';
import { MomentSlider } from './moment-slider.tsx';
import { countUntil } from './moment-order.ts';
import { loadMoments } from './moments.ts';
import { absentMoment, isPastOpen, momentProblem, pastMoment, refusedMoment } from './past.ts';

/** Returns the path of the current screen at a moment; null: now. */
const pathAt = (at: string | null): string => {
  const { path, query } = currentLocation.value;
  const next = new URLSearchParams(query);
  if (at === null) next.delete('at');
  else next.set('at', at);
  return next.size > 0 ? `${path}?${next.toString()}` : path;
};

const showAt = (at: string | null): void => {
  // The control stays open when the slider reaches the present.
  isPastOpen.value = true;
  // Forget the refused moment, because it may no longer be in the future.
  refusedMoment.value = null;
  navigate(pathAt(at), { exact: true });
};

/** The control that chooses the moment of a screen, and says which moment is shown. */
const PastBar = (): JSX.Element | null => {
  const history = historyAt(currentLocation.value.path);
  return history && <Bar key={history.resource} history={history} />;
};
export default PastBar;

const Bar = ({ history }: { history: ScreenHistory }): JSX.Element => {
  const at = pastMoment.value;
  const problem = momentProblem.value;
  // The resource may have changed since the present was first shown, so load the moments again when the user leaves it.
  const { loaded, again } = useLoaded((signal) => loadMoments(history, signal), [at === null]);
  const { past: says } = words.value;
  const known = loaded.status === 'loading' ? null : loaded.value;
  const first = known && !known.truncated ? known.moments[0] : undefined;
  const isAbsent =
    history.kind === 'resource' &&
    at !== null &&
    problem === null &&
    known !== null &&
    first !== undefined &&
    countUntil(known.moments, at) === 0;
  useEffect(() => {
    absentMoment.value = isAbsent ? at : null;
  }, [isAbsent, at]);
  useEffect(
    () => () => {
      isPastOpen.value = false;
      absentMoment.value = null;
    },
    [],
  );
  return (
    <>
      <section class={`past-bar${at === null ? '' : ' is-past'}`} aria-label={says.asItWas}>
        <div class="past-state">
          <p role="status">
            {at === null || problem !== null ? (
              says.text
            ) : (
              <>
                <strong>{says.stateOf(fullText(at))}</strong> {says.readOnly}
              </>
            )}
          </p>
          {at !== null && <BackToNow />}
        </div>
        <MomentForm at={at} problem={problem} onChoose={showAt} />
        {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
        {known && known.moments.length > 0 && problem === null && (
          <MomentSlider known={known} at={at} onChoose={showAt} />
        )}
      </section>
      {problem !== null && <Panel title={problem === 'future' ? says.future : says.noMoment} alert />}
      {isAbsent && (
        <Panel title={says.notYetTitle} text={says.notYet(fullText(first))} alert>
          <a href={exactHref(pathAt(first))} class="button">
            {says.showFirst}
          </a>
        </Panel>
      )}
    </>
  );
};

/** A link to the present. The control closes, so the focus moves to the screen. */
const BackToNow = (): JSX.Element => (
  <a
    class="button"
    href={exactHref(pathAt(null))}
    onClick={() => {
      isPastOpen.value = false;
      document.getElementById('main')?.focus();
    }}
  >
    {words.value.past.backToNow}
  </a>
);
