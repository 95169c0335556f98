import type { JSX } from 'preact';
import { StateIcon } from '../../../views/status/state.tsx';
import { Link } from '../../parts/link.tsx';
import { ZonedMoment } from '../../parts/times/zoned-moment.tsx';
import { words } from '../../shell/language.ts';
import type { IncidentLine } from '../overview/sources.ts';
import type { StatusPage } from '../incidents/pages.ts';

export interface MaintenanceListProps {
  maintenances: readonly IncidentLine[];
  pages: readonly StatusPage[];
}

/** A list of maintenances with times in the browser's zone and the page's zone. */
export const MaintenanceList = ({ maintenances, pages }: MaintenanceListProps): JSX.Element => {
  const of = new Map(pages.map((page) => [page.id, page]));
  const { incidents: says } = words.value;
  return (
    <ul class="maintenance-list">
      {maintenances.map(({ id, page_id, name, status, scheduled_for, scheduled_until }) => {
        const page = of.get(page_id);
        const zone = page?.time_zone ?? 'UTC';
        return (
          <li key={id}>
            <StateIcon state={status === 'completed' ? 'none' : 'maintenance'} />
            <Link to={`/pages/${page_id}/incidents/${id}`} class="name">
              <bdi>{name}</bdi>
            </Link>
            <span class="detail">
              {says.statuses[status]} · <bdi>{page?.name ?? ''}</bdi>
            </span>
            <span class="when">
              {scheduled_for !== null && scheduled_until !== null && (
                <ZonedMoment instant={scheduled_for} until={scheduled_until} zone={zone} />
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
};
