import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { ComponentStatus } from './component-status.ts';
import { ComponentFields, PageFields } from './fields.ts';
import { pagePasswordEvents } from './password-events.ts';

/**
 * The numbers of the claims with which a page took the unique names that the event sets. Every attempt to take a name
 * is a numbered claim (domain/reservation/).
 */
export const NameClaims = Type.Object({
  subdomain: Type.Optional(Type.Integer()),
  domain: Type.Optional(Type.Integer()),
});
export type NameClaims = Static<typeof NameClaims>;

const PageChanges = Type.Partial(PageFields);
const ComponentChanges = Type.Partial(Type.Omit(ComponentFields, ['group']));

/**
 * Events of a page and of its components, component groups and passwords, in the stream `page-{page_id}`. A group is a
 * component with `group: true`.
 */
export const pageEvents = {
  PageCreated: {
    version: 4,
    data: Type.Object({ page_id: Type.String(), created_at: InstantSchema, page: PageFields, claims: NameClaims }),
  },
  PageUpdated: {
    version: 4,
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
   * The only event of a page that was never created: a command claimed a name or a quota slot for the page, and then
   * stalled. This event closes the stream, so that another page can take over the name or the slot.
   */
  PageCreationAbandoned: { version: 1, data: Type.Object({ page_id: Type.String() }) },
  /**
   * Another page takes over a subdomain that this page claimed but does not use. From now on, this page cannot use the
   * claim with the number `claim`, or any earlier claim on the subdomain. The fields of this page do not change.
   */
  SubdomainChangeAbandoned: {
    version: 1,
    data: Type.Object({ page_id: Type.String(), subdomain: Type.String(), claim: Type.Integer() }),
  },
  /**
   * Another page takes over a custom domain that this page claimed but does not use. `domain` is in the normalised form
   * in which names are reserved.
   */
  DomainChangeAbandoned: {
    version: 1,
    data: Type.Object({ page_id: Type.String(), domain: Type.String(), claim: Type.Integer() }),
  },

  ComponentAdded: {
    version: 5,
    data: Type.Object({
      page_id: Type.String(),
      component_id: Type.String(),
      created_at: InstantSchema,
      component: ComponentFields,
    }),
  },
  /**
   * `changes.status` is present if a user set a status at `changed_at`. It is never present for a group.
   * `previous.status` is the status that was shown before the change; a user or an incident had set it.
   */
  ComponentUpdated: {
    version: 5,
    data: Type.Object({
      page_id: Type.String(),
      component_id: Type.String(),
      changed_at: InstantSchema,
      changes: ComponentChanges,
      previous: ComponentChanges,
    }),
  },
  /**
   * A component or group was removed. Before the removal of a group, a `ComponentUpdated` with `group_id: null` is
   * recorded for each component of the group.
   */
  ComponentRemoved: {
    version: 1,
    data: Type.Object({ page_id: Type.String(), component_id: Type.String(), removed_at: InstantSchema }),
  },
  /**
   * An alert holds a component in a status until the alert releases the component
   * (docs/reference/components.md#components-held-by-alerts). The held status counts in addition to the statuses that
   * incidents set. If the alert already holds the component, the new held status replaces the previous one.
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
  /** The alert released the component. The held status no longer counts. */
  ComponentReleased: {
    version: 1,
    data: Type.Object({
      page_id: Type.String(),
      component_id: Type.String(),
      holder: Type.String(),
      released_at: InstantSchema,
    }),
  },

  /** A user exported the addresses of the page's subscribers. `mode` and `status` are the filter of the export. */
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
