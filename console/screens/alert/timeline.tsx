import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { words } from '../../shell/language.ts';
import { ActorName } from '../alerts/handling.tsx';
import { timelineOf, isWaiting, type ChannelNotification, type TimelineStep } from './timeline-steps.ts';
import { typeName } from '../alert-channels/names.ts';

export interface AlertTimelineProps {
  alert: Schemas['Alert'];
  /** null: not known */
  messages: readonly Schemas['AlertNotification'][] | null;
  /** e-mail addresses by id */
  people: ReadonlyMap<string, string>;
  again: () => void;
}

/** The timeline of an alert, oldest first. */
export const AlertTimeline = ({ alert, messages, people, again }: AlertTimelineProps): JSX.Element => {
  const { alerts: says } = words.value;
  const steps = timelineOf(alert, messages ?? []);
  return (
    <section aria-labelledby="course">
      <h2 id="course">{says.course}</h2>
      <ol class="alert-course">
        {steps.map((step) => (
          <li key={`${step.kind} ${step.at} ${step.kind === 'notified' ? step.channelId : ''}`} class={step.kind}>
            <Moment instant={step.at} />
            {step.kind === 'notified' ? (
              <DeliveryStep step={step} />
            ) : (
              <EventStep step={step} alert={alert} people={people} />
            )}
          </li>
        ))}
      </ol>
      {messages === null && <p class="fine">{words.value.past.noPast}</p>}
      {messages?.length === 0 && <p class="fine">{says.noMessages}</p>}
      {isWaiting(steps) && (
        <button class="button" onClick={again}>
          <Icon name="run" /> {says.checkMessages}
        </button>
      )}
    </section>
  );
};

type DoneStep = Exclude<TimelineStep, ChannelNotification>;

const EventStep = (shown: {
  step: DoneStep;
  alert: Schemas['Alert'];
  people: ReadonlyMap<string, string>;
}): JSX.Element => {
  const { step, alert, people } = shown;
  const { alerts: says } = words.value;
  return (
    <p>
      <strong>{says.events[step.kind]}</strong>
      {step.userId !== null && (
        <>
          {': '}
          <ActorName id={step.userId} people={people} />
        </>
      )}
      {step.kind === 'resolved' && step.userId === null && alert.resolution === 'auto' && <>, {says.byItself}</>}
    </p>
  );
};

const STATUSES = ['sent', 'failed', 'retrying', 'pending', 'superseded'] as const;

/** The outcome of a channel's messages. */
const DeliveryStep = ({ step }: { step: ChannelNotification }): JSX.Element => {
  const { alerts: says } = words.value;
  const { channelName, channelId, channelType, counts, errors } = step;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const outcomes = STATUSES.filter((status) => counts[status] > 0);
  return (
    <div>
      <p>
        {typeName(channelType)}
        {': '}
        {channelName === null ? (
          <em>{says.deletedChannel}</em>
        ) : (
          <Link to={`/alerts/channels/${channelId}`}>
            <bdi>{channelName}</bdi>
          </Link>
        )}
        {' · '}
        {step.about === 'alert_fired' ? says.aboutFired : says.aboutResolved}
      </p>
      <p class={counts.failed > 0 ? 'failed' : 'fine'}>
        {outcomes.map((status) => `${says.outcomes[status]}${total > 1 ? ` (${counts[status]})` : ''}`).join(', ')}
      </p>
      {errors.map((error) => (
        <p key={error} class="fine">
          <bdi>{error}</bdi>
        </p>
      ))}
    </div>
  );
};
