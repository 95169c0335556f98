import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { StatePill } from '../../../views/status/state.tsx';
import type { Schemas } from '../../api/openapi.d.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { Link } from '../../parts/link.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { regionText } from '../../parts/region-text.ts';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { shownTime } from '../../parts/times/shown-time.ts';
import { durationOf, Moment, Since } from '../../parts/times/since.tsx';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import { stateOf } from '../checks/figures.ts';
import type { Actions } from './actions.ts';
import type { Check, Result } from './source.ts';
import { failureOf, isMuted, sinceOf, checkStateOf } from './state.ts';
import { regionsOf, targetOf } from './target.ts';
import { HOUR_SECONDS } from '../../../domain/time.ts';

export interface HeadProps {
  check: Check;
  /** up and down periods */
  history: readonly Schemas['CheckStatus'][];
  /** latest results of the check */
  results: readonly Result[];
  actions: Actions;
  isRunning: boolean;
  onRun: () => void;
}

/** The key facts of a check, and its actions. */
export const Head = (props: HeadProps): JSX.Element => {
  const { check, history, results } = props;
  const { screens, states, check: says } = words.value;
  const standing = checkStateOf(check);
  const since = sinceOf(check, history);
  const sentence = standing === 'down' ? failureOf(results) : null;
  const every = says.every(durationOf(check.interval, language.value));
  return (
    <>
      <ScreenHead title={check.name} isName of={check} back={{ to: '/checks', label: screens.checks }}>
        <Buttons {...props} />
      </ScreenHead>
      <div class="check-head">
        <p class="standing">
          <StatePill state={stateOf(standing)} label={states[standing]} />
          {since !== null && <Since instant={since} />}
          {isMuted(check, shownTime()) && check.muted_until !== null && (
            <span class="quiet-note">
              {says.mutedUntil} <Moment instant={check.muted_until} />
            </span>
          )}
        </p>
        {sentence !== null && (
          <p class="notice message">
            <bdi>{sentence}</bdi>
          </p>
        )}
        {check.suspended_reason !== null && (
          <p class="notice">
            <bdi>{check.suspended_reason}</bdi>
          </p>
        )}
        <p class="target">
          <code>
            <bdi>{targetOf(check)}</bdi>
          </code>
          <span>{every}</span>
          {regionsOf(check).length > 0 && <bdi>{regionsOf(check).map(regionText).join(' · ')}</bdi>}
          {check.group && <bdi>{check.group.name}</bdi>}
          {check.tags.length > 0 && <span class="tags">{check.tags.join(' ')}</span>}
        </p>
      </div>
    </>
  );
};

/** Durations of muting that the menu offers, in seconds. */
const MUTES = [HOUR_SECONDS, 4 * HOUR_SECONDS, 24 * HOUR_SECONDS, 7 * 24 * HOUR_SECONDS];

const Buttons = ({ check, actions, isRunning, onRun }: HeadProps): JSX.Element | null => {
  const asks = useSignal(false);
  const { common, checks, check: says } = words.value;
  const mayChange = may('PATCH /v1/checks/{check_id}');
  const mayRun = may('POST /v1/checks/{check_id}/execute');
  const mayCreate = may('POST /v1/checks');
  const mayDelete = may('DELETE /v1/checks/{check_id}');
  if (!mayChange && !mayRun && !mayCreate && !mayDelete) return null;
  return (
    <>
      {mayRun && (
        <button class="button" disabled={isRunning || !check.active} onClick={onRun}>
          {isRunning ? says.running : checks.run}
        </button>
      )}
      {mayChange && (
        <>
          <button class="button" disabled={actions.busy} onClick={actions.pause}>
            {check.active ? checks.pause : checks.resume}
          </button>
          <Link to={`/checks/${check.id}/edit`} class="button">
            {common.edit}
          </Link>
        </>
      )}
      <Menu label={common.more} icon="more">
        {mayCreate && <Link to={`/checks/new?from=${check.id}`}>{says.clone}</Link>}
        {mayChange &&
          (isMuted(check, Date.now()) ? (
            <button
              onClick={() => {
                actions.mute(null);
              }}
            >
              {says.unmute}
            </button>
          ) : (
            MUTES.map((seconds) => (
              <button
                key={seconds}
                onClick={() => {
                  actions.mute(seconds);
                }}
              >
                {says.muteFor(durationOf(seconds, language.value))}
              </button>
            ))
          ))}
        {mayDelete && (
          <button
            class="danger"
            onClick={() => {
              asks.value = true;
            }}
          >
            {common.delete}
          </button>
        )}
      </Menu>
      {asks.value && (
        <ConfirmDialog
          title={says.deleteTitle}
          text={says.deleteText}
          action={common.delete}
          danger
          onConfirm={actions.remove}
          onClose={() => {
            asks.value = false;
          }}
        />
      )}
    </>
  );
};
