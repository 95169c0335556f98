import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { ComponentStatus } from './component-status.ts';
import { ComponentFields, PageFields } from './fields.ts';
import { pagePasswordEvents } from './password-events.ts';

/**
 * The numbers of the claims by which a page holds its unique names, for the names that the event sets
 * (domain/reservation: every attempt to take a name is a numbered claim).
 */
export const NameClaims = Type.Object({
  subdomain: Type.Optional(Type.Integer()),
  domain: Type.Optional(Type.Integer()),
});
export type NameClaims = Static<typeof NameClaims>;

const PageChanges = Type.Partial(PageFields);
const ComponentChanges = Type.Partial(Type.Omit(ComponentFields, ['group']));

/**
 * Events of a page with its components, component groups and passwords, in `page-{page_id}`. A group is a
 * component with `group: true`.
 */
export const pageEvents = {
  PageCreated: {
    version: 2,
    data: Type.Object({ page_id: Type.String(), created_at: InstantSchema, page: PageFields, claims: NameClaims }),
  },
  PageUpdated: {
    version: 2,
    data: Type.Object({
      page_id: Type.String(),
      changed_at: InstantSchema,
      changes: PageChanges,
      previous: PageChanges,
      claims: NameClaims,
    }),
  },
  PageDeleted: { version: 1, data: Type.Object({ page_id: Type.String(), deleted_at: InstantSchema }) },

  /**
   * The only event of a page that was never created: a command claimed a name or a quota slot for it and then stalled.
   * The stream is closed, so that another page can take over the name or the slot.
   */
  PageCreationAbandoned: { version: 1, data: Type.Object({ page_id: Type.String() }) },
  /**
   * The page claimed a subdomain without using it, and another page takes it over: claims up to
   * `claim` can no longer be used. Callers see no change.
   */
  SubdomainChangeAbandoned: {
    version: 1,
    data: Type.Object({ page_id: Type.String(), subdomain: Type.String(), claim: Type.Integer() }),
  },
  /** The same for a custom domain; `domain` is normalised as in the reservation. */
  DomainChangeAbandoned: {
    version: 1,
    data: Type.Object({ page_id: Type.String(), domain: Type.String(), claim: Type.Integer() }),
  },

  ComponentAdded: {
    version: 4,
    data: Type.Object({
      page_id: Type.String(),
      component_id: Type.String(),
      created_at: InstantSchema,
      component: ComponentFields,
    }),
  },
  /**
   * `changes.status` is present if a status was set manually, at `changed_at`; never for a group.
   * `previous.status` is the status shown until then, set manually or by an incident.
   */
  ComponentUpdated: {
    version: 4,
    data: Type.Object({
      page_id: Type.String(),
      component_id: Type.String(),
      changed_at: InstantSchema,
      changes: ComponentChanges,
      previous: ComponentChanges,
    }),
  },
  /** If a group is removed, a ComponentUpdated with `group_id: null` for each of its components precedes this event. */
  ComponentRemoved: {
    version: 1,
    data: Type.Object({ page_id: Type.String(), component_id: Type.String(), removed_at: InstantSchema }),
  },
  /**
   * An alert holds a component in a status until it releases it, in addition to the timelines of incidents (docs/reference/components.md#components-held-by-alerts). If the same holder holds it again, the status has changed.
   */
  ComponentHeld: {
    version: 1,
    data: Type.Object({
      page_id: Type.String(),
      component_id: Type.String(),
      /** id of the alert */
      holder: Type.String(),
      status: ComponentStatus,
      held_at: InstantSchema,
    }),
  },
  /** The hold is released, and its status no longer counts. */
  ComponentReleased: {
    version: 1,
    data: Type.Object({
      page_id: Type.String(),
      component_id: Type.String(),
      holder: Type.String(),
      released_at: InstantSchema,
    }),
  },

  /** A user exported the addresses of the page's subscribers: of these modes and statuses, or of all. */
  PageSubscribersExported: {
    version: 1,
    data: Type.Object({
      page_id: Type.String(),
      mode: Type.Optional(Type.Array(Type.String())),
      status: Type.Optional(Type.Array(Type.String())),
      exported_at: InstantSchema,
    }),
  },

  ...pagePasswordEvents,
} as const satisfies EventDefinitions;

export type PageEvent = EventsOf<typeof pageEvents>;
