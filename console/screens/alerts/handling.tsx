import type { JSX } from 'preact';
import { words } from '../../shell/language.ts';
import type { Row } from './filter.ts';

export interface ActorNameProps {
  /** id of a user or an API key */
  id: string;
  /** e-mail addresses of users by id */
  people: ReadonlyMap<string, string>;
}

/** Shows the actor of an event by e-mail address, or by a generic name if the actor is an API key or a removed user. */
export const ActorName = ({ id, people }: ActorNameProps): JSX.Element => {
  const email = people.get(id);
  return email === undefined ? <>{words.value.alerts.someoneElse}</> : <bdi>{email}</bdi>;
};

/** Shows who is handling an alert, or how the alert was resolved. */
export const Handling = ({ alert, people }: { alert: Row; people: ReadonlyMap<string, string> }): JSX.Element => {
  const { alerts: says } = words.value;
  if (alert.status === 'resolved') {
    return (
      <>
        {says.statuses.resolved}
        {alert.resolved_by_id !== null && (
          <>
            {': '}
            <ActorName id={alert.resolved_by_id} people={people} />
          </>
        )}
      </>
    );
  }
  if (alert.acknowledged_by_id === null) return <>{says.nobody}</>;
  return <ActorName id={alert.acknowledged_by_id} people={people} />;
};
