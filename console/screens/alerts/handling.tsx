import type { JSX } from 'preact';
import { words } from '../../shell/language.ts';
import type { Row } from './filter.ts';

export interface ActorNameProps {
  /** id of a user or an API key */
  id: string;
  /** e-mail addresses of users by id */
  people: ReadonlyMap<string, string>;
}

/** The actor of an event: a user's e-mail address; API keys and removed users have none. */
export const ActorName = ({ id, people }: ActorNameProps): JSX.Element => {
  const email = people.get(id);
  return email === undefined ? <>{words.value.alerts.someoneElse}</> : <bdi>{email}</bdi>;
};

/** Who is handling an alert, or how it was resolved. */
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
