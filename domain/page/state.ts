import type { EventOf } from '../event-types.ts';
import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { ComponentStatus } from './component-status.ts';
import type { NameClaims, PageEvent } from './events.ts';
import type { ComponentFields, PageFields } from './fields.ts';
import type { PagePasswordFields } from './password-events.ts';
import type { PasswordRules } from './access.ts';

export interface PageComponent extends ComponentFields {
  id: string;
  /** when a user last set a status, or when the component was added */
  status_set_at: Instant;
  /** current holds, by id of the alert that holds the component */
  holds: ReadonlyMap<string, HeldStatus>;
}

export interface HeldStatus {
  status: ComponentStatus;
  held_at: Instant;
}

/** A password that opens the page to visitors. */
export interface PagePassword extends PasswordRules {
  fields: PagePasswordFields;
  /** the sealed argon2id hash, a PHC string */
  hash: Sealed;
}

export interface ActivePage {
  status: 'active';
  id: string;
  fields: PageFields;
  claims: NameClaims;
  /** Maps each name to the highest number of a closed claim. The page can no longer use this claim or an older one. */
  abandoned: { subdomain: ReadonlyMap<string, number>; domain: ReadonlyMap<string, number> };
  /** components and groups by id */
  components: ReadonlyMap<string, PageComponent>;
  /** passwords by id, oldest first */
  passwords: ReadonlyMap<string, PagePassword>;
}

export type Page =
  | { status: 'absent' }
  | ActivePage
  /** `fields` contains the values before the deletion. */
  | { status: 'deleted'; fields: PageFields }
  /** The page was never created and can never be. */
  | { status: 'abandoned' };

export const { existing, onExisting } = lifecycleOf<Page>('page');

const withComponent = (page: ActivePage, component: PageComponent): ActivePage => ({
  ...page,
  components: new Map(page.components).set(component.id, component),
});

const withoutComponent = (page: ActivePage, id: string): ActivePage => {
  const components = new Map(page.components);
  components.delete(id);
  return { ...page, components };
};

const withHolds = (page: Page, id: string, change: (holds: Map<string, HeldStatus>) => unknown): Page =>
  onExisting(page, (active) => {
    const component = active.components.get(id);
    if (!component) throw new Error(`Component ${id} was held but never added.`);
    const holds = new Map(component.holds);
    change(holds);
    return withComponent(active, { ...component, holds });
  });

/**
 * Whether a change of a page password revokes the tokens that were issued for it. Tokens are revoked if the password
 * itself is replaced, or if it is deactivated.
 */
export const revokesTokens = ({ changes, hash }: EventOf<'PagePasswordUpdated'>['data']): boolean =>
  hash !== undefined || changes.active === false;

const withPassword = (
  page: Page,
  id: string,
  change: (password: PagePassword | undefined) => PagePassword | undefined,
): Page =>
  onExisting(page, (active) => {
    const passwords = new Map(active.passwords);
    const changed = change(passwords.get(id));
    if (changed) passwords.set(id, changed);
    else passwords.delete(id);
    return { ...active, passwords };
  });

const passwordOf = (id: string, revision: number, fields: PagePasswordFields, hash: Sealed): PagePassword => {
  const { active, expires_at } = fields;
  return { id, revision, active, expires_at, fields, hash };
};

const evolve = (page: Page, event: PageEvent): Page => {
  switch (event.type) {
    case 'PageCreated':
      return {
        status: 'active',
        id: event.data.page_id,
        fields: event.data.page,
        claims: event.data.claims,
        abandoned: { subdomain: new Map(), domain: new Map() },
        components: new Map(),
        passwords: new Map(),
      };
    case 'PageUpdated':
      return onExisting(page, (active) => ({
        ...active,
        fields: { ...active.fields, ...event.data.changes },
        claims: { ...active.claims, ...event.data.claims },
      }));
    case 'PageDeleted':
      return onExisting(page, ({ fields }) => ({ status: 'deleted', fields }));
    case 'PageCreationAbandoned':
      return { status: 'abandoned' };
    case 'SubdomainChangeAbandoned':
      return onExisting(page, (active) => ({
        ...active,
        abandoned: {
          ...active.abandoned,
          subdomain: new Map(active.abandoned.subdomain).set(event.data.subdomain, event.data.claim),
        },
      }));
    case 'DomainChangeAbandoned':
      return onExisting(page, (active) => ({
        ...active,
        abandoned: {
          ...active.abandoned,
          domain: new Map(active.abandoned.domain).set(event.data.domain, event.data.claim),
        },
      }));
    case 'ComponentAdded':
      return onExisting(page, (active) =>
        withComponent(active, {
          ...event.data.component,
          id: event.data.component_id,
          status_set_at: event.data.created_at,
          holds: new Map(),
        }),
      );
    case 'ComponentUpdated':
      return onExisting(page, (active) => {
        const component = active.components.get(event.data.component_id);
        if (!component) throw new Error(`Component ${event.data.component_id} was changed but never added.`);
        return withComponent(active, {
          ...component,
          ...event.data.changes,
          status_set_at: event.data.changes.status ? event.data.changed_at : component.status_set_at,
        });
      });
    case 'ComponentHeld': {
      const { component_id, holder, status, held_at } = event.data;
      return withHolds(page, component_id, (holds) => holds.set(holder, { status, held_at }));
    }
    case 'ComponentReleased': {
      const { component_id, holder } = event.data;
      return withHolds(page, component_id, (holds) => holds.delete(holder));
    }
    case 'ComponentRemoved':
      return onExisting(page, (active) => withoutComponent(active, event.data.component_id));
    case 'PageSubscribersExported':
      return onExisting(page, (active) => active);
    case 'PagePasswordAdded': {
      const { password_id, password, hash } = event.data;
      return withPassword(page, password_id, () => passwordOf(password_id, 1, password, hash));
    }
    case 'PagePasswordUpdated': {
      const { password_id, changes, hash } = event.data;
      return withPassword(page, password_id, (before) => {
        if (!before) throw new Error(`Password ${password_id} was changed but never added.`);
        const revision = before.revision + (revokesTokens(event.data) ? 1 : 0);
        return passwordOf(password_id, revision, { ...before.fields, ...changes }, hash ?? before.hash);
      });
    }
    case 'PagePasswordRemoved':
      return withPassword(page, event.data.password_id, () => undefined);
    default:
      return unreachable(event);
  }
};

/**
 * The decider of pages. Components belong to the same aggregate, because their groups and positions depend on each
 * other.
 */
export const pageDecider: Decider<Page, PageEvent> = {
  category: 'page',
  initialState: { status: 'absent' },
  evolve,
};
