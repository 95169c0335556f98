import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Pager } from '../../parts/pager.tsx';
import { PastLink } from '../../past/past-link.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { changedFields } from './changes.ts';
import { addressWithQuery } from './change-query.ts';
import { PAGE_SIZE, pageOf } from './query.ts';
import { reloadedBy, type Check } from './source.ts';

/** Shows who changed a check, with the previous and the new value of each changed field. */
export const HistoryTab = ({ check: { id } }: { check: Check }): JSX.Element => {
  const page = pageOf(currentLocation.value.query);
  const { loaded, again } = useLive(
    reloadedBy(
      (signal) => call('GET /v1/audit', { query: { resource_id: id, page, per_page: PAGE_SIZE } }, { signal }),
      ['check'],
      (change) => change.id === id,
    ),
    [id, page],
  );
  const { check: says } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  const list = loaded.value;
  return (
    <section aria-label={says.history}>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {list?.audit_logs.length === 0 && <p class="nothing">{says.noHistory}</p>}
      {list && (
        <ol class="history">
          {list.audit_logs.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {list && (
        <Pager
          pagination={{ page, total_pages: list.pagination.pages, total_items: list.pagination.total }}
          onPage={(next) => {
            navigate(addressWithQuery({ page: next === 1 ? null : next.toString() }));
          }}
        />
      )}
    </section>
  );
};

const Entry = ({ entry }: { entry: Schemas['AuditLog'] }): JSX.Element => {
  const { check: says } = words.value;
  const fields = changedFields(entry.changes);
  const who = entry.actor_email ?? says.actors[entry.actor_type];
  return (
    <li>
      <p>
        <bdi class="name">{who}</bdi>
        {entry.actor_type === 'api_key' && <code class="fine">{entry.actor_id}</code>}
        <code>{entry.action}</code>
        <PastLink path={`/checks/${entry.resource_id}?tab=history`} instant={entry.created_at} />
        {entry.ip_address !== null && <bdi class="fine">{entry.ip_address}</bdi>}
      </p>
      {fields.length > 0 && (
        <div class="wide-table">
          <table class="plain-table event-changes">
            <thead>
              <tr>
                <th scope="col">{says.field}</th>
                <th scope="col">{says.before}</th>
                <th scope="col">{says.after}</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row">
                    <code>{field}</code>
                  </th>
                  <td>
                    <bdi>{before}</bdi>
                  </td>
                  <td>
                    <bdi>{after}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </li>
  );
};
