import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { ComponentStatus } from './component-status.ts';
import { ComponentFields, PageFields } from './fields.ts';
import { pagePasswordEvents } from './password-events.ts';

/**
 * The numbers of the claims by which a page holds its unique names, for those that the event sets
 * (domain/reservation: every attempt to take a name is a claim with a number of its own).
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
 * component with `group: true`. All times are those of the fact.
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
   * The first and last event of a page whose creator reserved a name, or a place in the plan, and then fell silent: the
   * stream is closed, so another page can take it. The page never existed.
   */
  PageCreationAbandoned: { version: 1, data: Type.Object({ page_id: Type.String() }) },
  /**
   * The page reserved a subdomain that it does not hold, and another page takes it: claims up to
   * `claim` can no longer be used. Changes nothing that a caller sees.
   */
  SubdomainChangeAbandoned: {
    version: 1,
    data: Type.Object({ page_id: Type.String(), subdomain: Type.String(), claim: Type.Integer() }),
  },
  /** The same for a custom domain; `domain` is normalized as in the reservation. */
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
   * `changes.status` is present if a status was set by hand, at `changed_at`; never for a group.
   * `previous.status` is the status that was shown until then, whatever set it.
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
  /** When a group is removed, a ComponentUpdated with `group_id: null` for each of its components came before. */
  ComponentRemoved: {
    version: 1,
    data: Type.Object({ page_id: Type.String(), component_id: Type.String(), removed_at: InstantSchema }),
  },
  /**
   * Something holds a component in a status until it lets go: a lane beside those of incidents (decisions.md: Alerts,
   * `statuspage`). Held again by the same holder, the status is another one.
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
  /** The holder lets go; nothing of its status is left. */
  ComponentReleased: {
    version: 1,
    data: Type.Object({
      page_id: Type.String(),
      component_id: Type.String(),
      holder: Type.String(),
      released_at: InstantSchema,
    }),
  },

  /** Somebody got the addresses of the page's subscribers as a file: of these modes and statuses, or of all. */
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
