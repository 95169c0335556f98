import type { EventOf } from '../../../domain/event-types.ts';
import { newPageFields, type PageInput } from '../../../domain/page/decide.ts';
import type { ComponentFields, PageFields } from '../../../domain/page/fields.ts';
import type { PagePasswordFields } from '../../../domain/page/password-events.ts';
import type { Sealed } from '../../../domain/sealed.ts';

/** Events of one page, for tests. */
export const NOW = '2026-11-20T15:00:00.000000';
export const LATER = '2026-11-20T16:00:00.000000';
export const PAGE = 'page00000001';

export const pageFields = (fields: Partial<PageFields> = {}): PageFields =>
  newPageFields({ name: 'Acme', subdomain: 'acme', ...fields });

export const pageCreated = (fields: Partial<PageFields> = {}): EventOf<'PageCreated'> => ({
  type: 'PageCreated',
  data: {
    page_id: PAGE,
    created_at: NOW,
    page: pageFields(fields),
    claims: { subdomain: 1, ...(fields.domain && { domain: 1 }) },
  },
});

export const pageUpdated = (
  changes: PageInput,
  previous: PageInput,
  claims: EventOf<'PageUpdated'>['data']['claims'] = {},
): EventOf<'PageUpdated'> => ({
  type: 'PageUpdated',
  data: { page_id: PAGE, changed_at: LATER, changes, previous, claims },
});

export const pageDeleted: EventOf<'PageDeleted'> = { type: 'PageDeleted', data: { page_id: PAGE, deleted_at: LATER } };

export const componentFields = (fields: Partial<ComponentFields> = {}): ComponentFields => ({
  name: 'Web',
  description: null,
  group: false,
  group_id: null,
  position: 1,
  showcase: true,
  only_show_if_degraded: false,
  start_date: '2026-11-20',
  check_id: null,
  check_tag: null,
  show_response_times: false,
  status: 'operational',
  ...fields,
});

export const componentAdded = (id: string, fields: Partial<ComponentFields> = {}): EventOf<'ComponentAdded'> => ({
  type: 'ComponentAdded',
  data: { page_id: PAGE, component_id: id, created_at: NOW, component: componentFields(fields) },
});

type ComponentChanges = EventOf<'ComponentUpdated'>['data']['changes'];

export const componentUpdated = (
  id: string,
  changes: ComponentChanges,
  previous: ComponentChanges,
): EventOf<'ComponentUpdated'> => ({
  type: 'ComponentUpdated',
  data: { page_id: PAGE, component_id: id, changed_at: LATER, changes, previous },
});

export const componentHeld = (
  id: string,
  holder: string,
  status: ComponentFields['status'],
  held_at = LATER,
): EventOf<'ComponentHeld'> => ({
  type: 'ComponentHeld',
  data: { page_id: PAGE, component_id: id, holder, status, held_at },
});

export const componentReleased = (id: string, holder: string, released_at = LATER): EventOf<'ComponentReleased'> => ({
  type: 'ComponentReleased',
  data: { page_id: PAGE, component_id: id, holder, released_at },
});

export const componentRemoved = (id: string): EventOf<'ComponentRemoved'> => ({
  type: 'ComponentRemoved',
  data: { page_id: PAGE, component_id: id, removed_at: LATER },
});

export const HASH: Sealed = { key: `page_passwords-${PAGE}`, sealed: 'a hash' };

export const passwordAdded = (id: string, fields: Partial<PagePasswordFields> = {}): EventOf<'PagePasswordAdded'> => ({
  type: 'PagePasswordAdded',
  data: {
    page_id: PAGE,
    password_id: id,
    created_at: NOW,
    password: { name: 'Customers', password_hint: null, active: true, expires_at: null, ...fields },
    hash: HASH,
  },
});

export const passwordUpdated = (
  id: string,
  changes: Partial<PagePasswordFields>,
  previous: Partial<PagePasswordFields>,
  hash?: Sealed,
): EventOf<'PagePasswordUpdated'> => ({
  type: 'PagePasswordUpdated',
  data: { page_id: PAGE, password_id: id, changed_at: LATER, changes, previous, ...(hash && { hash }) },
});

export const passwordRemoved = (id: string): EventOf<'PagePasswordRemoved'> => ({
  type: 'PagePasswordRemoved',
  data: { page_id: PAGE, password_id: id, removed_at: LATER },
});
