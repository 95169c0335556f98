import type { JSX } from 'preact';
import { StateIcon, type State } from '../../../views/status/state.tsx';
import type { Schemas } from '../../api/openapi.d.ts';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { firstCheck } from '../../parts/first-check.ts';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import { timeText } from '../checks/figures.ts';

/** The outcome of a check's first run. */
interface FirstOutcome {
  status: 'pending' | 'up' | 'down';
  message: string | null;
  /** milliseconds; null: not measured */
  time: number | null;
}

/** Loads the outcome of a check's first run from the newest stored result, and updates it from the event stream. */
const firstOutcomeOf = (check_id: string): LiveSource<FirstOutcome> => ({
  load: async (signal) => {
    const query = { page_size: 1 };
    const { results } = await call('GET /v1/checks/{check_id}/results', { params: { check_id }, query }, { signal });
    const [result] = results;
    if (!result) return { status: 'pending', message: null, time: null };
    return {
      status: result.status === 'ok' ? 'up' : 'down',
      message: result.error_message,
      time: result.response_time,
    };
  },
  resources: ['check'],
  merge: (seen, changes) => {
    const row = changes.filter(({ id }) => id === check_id).at(-1)?.row as Schemas['OverviewRow'] | undefined;
    if (row?.status !== 'up' && row?.status !== 'down') return seen;
    return { status: row.status, message: row.error_message, time: row.response_time ?? seen.time };
  },
});

const STATES: Readonly<Record<FirstOutcome['status'], State>> = { pending: 'none', up: 'operational', down: 'major' };

/** Shows the first outcome of a newly created check, with suggested next steps. */
const FirstResult = (): JSX.Element | null => {
  const check = firstCheck.value;
  const { loaded } = useLive(firstOutcomeOf(check?.id ?? ''), [check?.id]);
  if (!check) return null;
  const { checkStart: says, close } = words.value;
  const seen = loaded.status === 'loading' ? null : loaded.value;
  const status = seen?.status ?? 'pending';
  const state = STATES[status];
  const sentence = { pending: says.waiting, up: says.isUp, down: says.isDown }[status](check.name);
  const leadsOn = status === 'up' && may('POST /v1/pages');
  return (
    <section class={`first-result state-${state}`} aria-label={says.newCheck}>
      <StateIcon state={state} />
      <div role="status">
        <p>
          <bdi>{sentence}</bdi>
          {seen !== null && seen.time !== null && <span class="fine"> {timeText(seen.time, language.value)}</span>}
        </p>
        {seen !== null && status === 'down' && seen.message !== null && (
          <p>
            <bdi>{seen.message}</bdi>
          </p>
        )}
        {leadsOn && <p class="fine">{says.nextPage}</p>}
      </div>
      <div class="actions">
        {leadsOn && (
          <Link to="/pages/new" class="button primary">
            {says.createPage}
          </Link>
        )}
        {status === 'down' && may('PATCH /v1/checks/{check_id}') && (
          <Link to={`/checks/${check.id}/edit`} class="button">
            {says.editCheck}
          </Link>
        )}
        <button
          class="icon-button"
          aria-label={close}
          onClick={() => {
            firstCheck.value = null;
          }}
        >
          <Icon name="close" />
        </button>
      </div>
    </section>
  );
};
export default FirstResult;
