import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { isUnknown } from '../../past/past.ts';
import { momentText } from '../../parts/times/moment-text.ts';
import { momentOf } from '../../parts/times/since.tsx';
import { language, words } from '../../shell/language.ts';
import { stateOf } from '../heartbeats/filter.ts';
import { HeartbeatPill } from '../heartbeats/state.tsx';

/** The state of a heartbeat, with an explanation. */
export const HeartbeatStateSection = ({ heartbeat }: { heartbeat: Schemas['Heartbeat'] }): JSX.Element => {
  const { next_expected_ping, grace_seconds } = heartbeat;
  const { explain } = words.value.heartbeats;
  const state = stateOf(heartbeat);
  const sentence = (): string => {
    if (isUnknown('status', heartbeat.status)) return '';
    if (state !== 'up' && state !== 'grace') return explain[state];
    if (next_expected_ping === null) return '';
    const next = momentOf(next_expected_ping);
    return explain[state](momentText(next, language.value), momentText(next + grace_seconds * 1_000, language.value));
  };
  return (
    <p class="standing">
      <HeartbeatPill heartbeat={heartbeat} /> <span>{sentence()}</span>
    </p>
  );
};
