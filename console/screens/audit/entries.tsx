import type { JSX } from 'preact';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { PastLink } from '../../past/past-link.tsx';
import { words } from '../../shell/language.ts';
import type { Actors } from './actors.ts';
import { screenOf, valueText, verbOf, type Entry } from './entry.ts';

/** Number of changes that are initially visible. Further changes are collapsed. */
const SHOWN = 4;

/** Entries of the audit log in words, with their changes. */
export const Entries = ({ entries, actors }: { entries: readonly Entry[]; actors: Actors }): JSX.Element => (
  <ol class="entries">
    {entries.map((entry) => (
      <li key={entry.id}>
        <div class="when">
          <When entry={entry} />
          {entry.ip_address !== null && (
            <p class="fine" title={entry.user_agent ?? undefined}>
              <bdi>{entry.ip_address}</bdi>
            </p>
          )}
        </div>
        <div class="done">
          <p>
            <Actor entry={entry} actors={actors} /> <Done entry={entry} />
          </p>
          <Changes changes={entry.changes} />
        </div>
      </li>
    ))}
  </ol>
);

/**
 * Shows when an entry was recorded. If the entry's resource has a screen, links to the state of the resource at that
 * moment.
 */
const When = ({ entry }: { entry: Entry }): JSX.Element => {
  const screen = screenOf(entry);
  return screen === null ? (
    <Moment instant={entry.created_at} />
  ) : (
    <PastLink path={screen} instant={entry.created_at} />
  );
};

const Actor = ({ entry, actors }: { entry: Entry; actors: Actors }): JSX.Element => {
  const says = words.value.audit;
  const { actor_type, actor_id, actor_email } = entry;
  if (actor_type === 'system') return <strong>{says.service}</strong>;
  const name = actors.users.find(({ id }) => id === actor_id)?.name ?? actor_email ?? actor_id;
  if (actor_type === 'user') return <bdi class="actor">{name}</bdi>;
  const key = actors.keys.find(({ id }) => id === actor_id)?.name ?? actor_id;
  return (
    <span class="actor">
      {says.resources.api_key} <bdi>{key}</bdi>
      {actor_email !== null && (
        <>
          {' '}
          (<bdi>{actor_email}</bdi>)
        </>
      )}
    </span>
  );
};

/** Shows what an entry is about: `Check · changed: Shop`. */
const Done = ({ entry }: { entry: Entry }): JSX.Element => {
  const says = words.value.audit;
  const type = (says.resources as Record<string, string>)[entry.resource_type] ?? entry.resource_type;
  const verb = (says.verbs as Record<string, string>)[verbOf(entry)] ?? verbOf(entry);
  const name = entry.resource_name ?? entry.resource_id;
  const screen = screenOf(entry);
  return (
    <>
      <span class="verb">
        {type} · {verb}
      </span>{' '}
      {screen === null ? (
        <bdi>{name}</bdi>
      ) : (
        <Link to={screen}>
          <bdi>{name}</bdi>
        </Link>
      )}
    </>
  );
};

const Changes = ({ changes }: { changes: Entry['changes'] }): JSX.Element | null => {
  const all = Object.entries(changes);
  if (all.length === 0) return null;
  // If all old values or all new values are missing, the resource was created or deleted.
  const isWhole = all.every(([, { old }]) => old === null) || all.every(([, { new: next }]) => next === null);
  const lines = (some: typeof all): JSX.Element => (
    <dl class="changes">
      {some.map(([field, { old, new: next }]) => (
        <div key={field}>
          <dt>
            <code>{field}</code>
          </dt>
          <dd>
            {isWhole ? (
              <Value value={next ?? old} was={next === null} />
            ) : (
              <>
                <Value value={old} was /> <span aria-hidden="true">→</span> <Value value={next} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
  if (isWhole && all.length > 2)
    return (
      <details>
        <summary>{words.value.audit.fields(all.length)}</summary>
        {lines(all)}
      </details>
    );
  if (all.length <= SHOWN) return lines(all);
  return (
    <>
      {lines(all.slice(0, SHOWN))}
      <details>
        <summary>{words.value.audit.moreFields(all.length - SHOWN)}</summary>
        {lines(all.slice(SHOWN))}
      </details>
    </>
  );
};

const Value = ({ value, was = false }: { value: unknown; was?: boolean }): JSX.Element => {
  const text = valueText(value);
  if (text === null) return <span class="fine">{words.value.common.none}</span>;
  return was ? (
    <del>
      <bdi>{text}</bdi>
    </del>
  ) : (
    <ins>
      <bdi>{text}</bdi>
    </ins>
  );
};
