import { Type, type Static } from '@sinclair/typebox';
import { changeSubscriber } from '../../commands/pages/subscribers.ts';
import { visibleComponents } from '../../domain/page/visible-components.ts';
import { passesFilter } from '../../domain/subscriber/notification-filter.ts';
import { UNSUBSCRIBE } from '../../domain/subscriber/links.ts';
import { FORM_BODY } from '../../http/media/body-types.ts';
import { seeOther, type RouteResponse } from '../../http/routes/route.ts';
import { pageWordsFor } from '../../messages/page-words/index.ts';
import { pageLanguage } from '../../messages/words/languages.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { listComponents } from '../../queries/pages/components.ts';
import { scopeProblems } from '../../queries/pages/subscribers.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { pageHtml } from '../../views/document.tsx';
import { ManagePage, type ManagePageProps } from '../../views/subscription/manage-page.tsx';
import { route, type Route } from '../route.ts';
import { componentChoices } from './component-choices.ts';
import { NOINDEX, ofLink, PAGE, linkStateResponse, type SubscriptionOfLink } from './subscription-link.ts';
import { linkFrameOf } from './pages.ts';
import { unsubscribeLinkState } from './link-state.ts';

const ManageBody = Type.Object({
  scope: Type.Optional(Type.String({ maxLength: 100 })),
  component_ids: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1_000 })),
  receives: Type.Optional(Type.String({ maxLength: 100 })),
});

/** The requested changes to a subscription. */
interface RequestedChanges {
  /** null: all components; undefined: unchanged */
  componentIds: readonly string[] | null | undefined;
  receives: boolean;
}

const requestedChangesIn = ({ scope, component_ids = [], receives }: Static<typeof ManageBody>): RequestedChanges => ({
  componentIds: scope === 'components' ? [...new Set(component_ids)] : scope === 'page' ? null : undefined,
  receives: receives === 'yes',
});

const managing = {
  ...ofLink(UNSUBSCRIBE),
  path: '/subscriptions/manage',
  produces: [PAGE] as const,
};

/**
 * Routes of the page on which subscribers change their own subscription. The URL of the page contains the token of the
 * unsubscribe link.
 */
export const manageRoutes: readonly Route[] = [
  route({
    ...managing,
    methods: ['get'],
    summary: 'Show a subscription to its owner',
    query: Type.Object({ saved: Type.Optional(Type.String()) }),
    responses: { 200: Type.String() },
    handle: async ({ found, scope, sent, query, type }) => {
      const standing = unsubscribeLinkState(found.subscriber, found.linked);
      if (standing !== 'unsubscribe') return linkStateResponse(standing, found, type, null);
      const { component_ids: componentIds, deliver_notifications: receives } = found.subscriber;
      return shown(scope, found, { componentIds, receives }, { search: sent.search, saved: query.saved === '1' });
    },
  }),
  route({
    ...managing,
    methods: ['post'],
    summary: 'Change a subscription',
    accepts: [FORM_BODY],
    body: ManageBody,
    unrepeatable: true,
    waitsFor: [subscribers.name],
    responses: { 303: null },
    handle: async ({ found, scope, sent, body, commands, context, type }) => {
      const standing = unsubscribeLinkState(found.subscriber, found.linked);
      if (standing !== 'unsubscribe') return linkStateResponse(standing, found, type, null);
      const { subscriber, page } = found;
      const wanted = requestedChangesIn(body);
      const componentIds = isNarrowable(found) ? wanted.componentIds : undefined;
      const kept = subscriber.component_ids ?? [];
      const refused = await scopeProblems(scope, page, { component_ids: [...(componentIds ?? [])] }, kept);
      if (componentIds?.length === 0 || Object.keys(refused).length > 0)
        return shown(scope, found, wanted, { search: sent.search, refused: true });
      const changes = {
        component_ids: componentIds && [...componentIds],
        deliver_notifications: wanted.receives,
      };
      await commands.bind(changeSubscriber)(subscriber.id, changes, context);
      return seeOther(`manage${withToken(sent.search)}&saved=1`);
    },
  }),
];

/** Returns the query with only its token, for links to other pages of the same subscription. */
const withToken = (search: string): string =>
  `?token=${encodeURIComponent(new URLSearchParams(search).get('token') ?? '')}`;

/**
 * Returns whether the subscription can be limited to components. This is not possible if the subscriber is not allowed
 * to see the page's components, or if the subscription covers a single incident.
 */
const isNarrowable = ({ subscriber, page }: SubscriptionOfLink): boolean =>
  subscriber.incident_id === null && passesFilter(page, subscriber);

const shown = async (
  scope: Scope,
  found: SubscriptionOfLink,
  { componentIds, receives }: RequestedChanges,
  { search, saved = false, refused = false }: { search: string; saved?: boolean; refused?: boolean },
): Promise<RouteResponse> => {
  const { page, subscriber, address } = found;
  const language = pageLanguage(page.language);
  const words = pageWordsFor(language).subscription;
  const props: ManagePageProps = {
    frame: linkFrameOf(page, language),
    words,
    address,
    incident: await incidentName(scope, found),
    choice: await choiceOf(scope, found, componentIds),
    receives,
    standing: subscriber.status === 'pending' || subscriber.status === 'quarantined' ? subscriber.status : 'active',
    saved,
    problem: refused ? words.problems.component_ids : null,
    unsubscribe: `unsubscribe${withToken(search)}`,
  };
  return { status: refused ? 422 : 200, headers: NOINDEX, body: () => pageHtml(ManagePage(props)) };
};

const incidentName = async (scope: Scope, { subscriber, page }: SubscriptionOfLink): Promise<string | null> => {
  if (subscriber.incident_id === null || !passesFilter(page, subscriber)) return null;
  const incident = await scope.read(incidents).incidents.get(subscriber.incident_id);
  return incident?.name ?? null;
};

/** Returns the visible components, and the ids of those that the subscription already covers. */
const choiceOf = async (
  scope: Scope,
  found: SubscriptionOfLink,
  componentIds: RequestedChanges['componentIds'],
): Promise<ManagePageProps['choice']> => {
  if (!isNarrowable(found)) return null;
  const chosen = new Set(componentIds);
  const all = await listComponents(scope, found.page);
  const visible = new Set(visibleComponents(all).map(({ id }) => id));
  const components = componentChoices(all.filter(({ id }) => visible.has(id) || chosen.has(id)));
  if (components.length === 0) return null;
  const isNarrow = componentIds !== null && componentIds !== undefined;
  return { scopes: ['page', 'components'], scope: isNarrow ? 'components' : 'page', components, chosen };
};
