import { Type } from '@sinclair/typebox';
import { Conflict, Forbidden, Invalid, TooMany } from '../../../domain/errors.ts';
import { acceptedModes } from '../../../domain/subscriber/accepted-modes.ts';
import { HttpError } from '../../../http/errors.ts';
import { html } from '../../../http/media/media-types.ts';
import { ok, seeOther, type RouteResponse } from '../../../http/routes/route.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { maskAddress } from '../../../queries/pages/recipients.ts';
import { pageHtml } from '../../../views/document.tsx';
import { SubscribedPage } from '../../../views/subscription/subscribed-page.tsx';
import { SubscribePage } from '../../../views/subscription/subscribe-page.tsx';
import type { Route } from '../../route.ts';
import { signUpVisitor } from '../../subscriptions/sign-up.ts';
import { formFrameOf } from '../frame.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { formSecurity } from '../security.ts';
import type { SiteCall } from '../visit.ts';
import { visitorFormRoute } from '../visitor-form.ts';
import {
  subscriptionRequestIn,
  inputOf,
  narrowingOf,
  problemsOf,
  SubscribeBody,
  type SubscriptionRequest,
} from './form.ts';
import { subscribeView, type FormErrors } from './view.ts';

/**
 * Returns a page with the form or its confirmation. The page can contain the visitor's address, so it runs no script
 * and is never cached.
 */
const page = (body: () => string): RouteResponse => ({
  ...ok(body),
  headers: { 'Cache-Control': 'no-store' },
  security: formSecurity(),
});

const Text = Type.Optional(Type.String());

/** Routes of the form with which visitors subscribe to a page, some of its components, or one incident. */
export const subscribeRoutes: readonly Route[] = [
  pageRoute({
    path: '/subscribe',
    summary: 'The form to subscribe to a status page',
    produces: [html()],
    query: Type.Object({ component: Text, incident: Text, done: Text }),
    answer: async (visit, { query: { component, incident, done } }, { commands }) => {
      if (done === 'email' || done === 'sms') {
        const frame = formFrameOf(visit);
        return page(() => pageHtml(SubscribedPage({ frame, done: { mode: done } })));
      }
      const requested: SubscriptionRequest = {
        ...subscriptionRequestIn({ ...(component !== undefined && { component_ids: [component] }) }),
        scope: incident !== undefined ? 'incident' : component !== undefined ? 'components' : null,
        incidentId: incident ?? null,
      };
      const view = await subscribeView(visit, requested, commands.bind(({ signUps }) => signUps).smsCountries);
      return page(() => pageHtml(SubscribePage(view)));
    },
  }),
  visitorFormRoute({
    path: '/subscribe',
    summary: 'Subscribe to a status page',
    body: SubscribeBody,
    answer: async (visit, body, call) => {
      const requested = subscriptionRequestIn(body);
      try {
        return await subscribed(visit, requested, call);
      } catch (error) {
        const refused = formErrorsOf(error, visit, requested);
        if (!refused) throw error;
        const { status, headers, ...refusal } = refused;
        const { smsCountries } = call.commands.bind(({ signUps }) => signUps);
        const view = await subscribeView(visit, requested, smsCountries, refusal);
        const again = page(() => pageHtml(SubscribePage(view)));
        return { ...again, status, headers: { ...again.headers, ...headers } };
      }
    },
  }),
];

/**
 * Subscribes a visitor and returns the confirmation.
 *
 * @throws Invalid, Forbidden, Conflict, HttpError like {@link signUpVisitor}
 */
const subscribed = async (visit: PageVisit, requested: SubscriptionRequest, call: SiteCall): Promise<RouteResponse> => {
  const { scope } = visit;
  const { typed, componentIds } = requested;
  const narrowing = narrowingOf({ ...requested, scope: requested.scope ?? 'page' });
  // Subscribers receive messages without proving that they have access, so a page with restricted access offers no
  // modes.
  const modes = acceptedModes(visit.page, narrowing.incident_id === null ? 'page' : 'incident', visit.sentModes);
  if (modes.length === 0) throw new Forbidden('This page does not accept such subscriptions.');
  if (typed.mode === null) throw Invalid.field('mode', 'Is required.');
  if (requested.scope === 'components' && componentIds.length === 0)
    throw Invalid.field('component_ids', 'Must name a component.');
  const { commands, context, clientAddress } = call;
  const visitor = { page: visit.page, commands, context, scope, clientAddress };
  const { address, secret } = await signUpVisitor(visitor, inputOf(typed.mode, typed), narrowing);
  if (address.mode !== 'webhook') {
    const { root, choices } = visit;
    return seeOther(`${root}subscribe?done=${address.mode}&lang=${choices.language}`);
  }
  // Show the secret directly in this response, which is the only one that contains it. A redirect would put the secret
  // into a URL.
  const done = { mode: address.mode, endpoint: maskAddress('webhook', address.text), secret };
  return page(() => pageHtml(SubscribedPage({ frame: formFrameOf(visit), done })));
};

interface FormRejection extends FormErrors {
  status: number;
  headers?: Record<string, string>;
}

/** Returns the messages that the form shows for an error, or null if the error is not caused by the form's values. */
const formErrorsOf = (error: unknown, { choices }: PageVisit, { typed }: SubscriptionRequest): FormRejection | null => {
  const words = pageWordsFor(choices.language).subscription;
  if (error instanceof Invalid) {
    const refused = error.errors.json ?? {};
    if (typed.mode === null) return { status: 422, problems: { mode: words.problems.mode }, failure: null };
    const failure = refused['incident_id'] === undefined ? null : words.incidentOver;
    return { status: 422, problems: problemsOf(refused, typed.mode, words), failure };
  }
  if (error instanceof Forbidden) return { status: 403, problems: {}, failure: words.refused };
  if (error instanceof Conflict) return { status: 409, problems: {}, failure: words.taken };
  const seconds = waitOf(error);
  if (seconds === null) return null;
  const failure = words.tooMany(Math.max(1, Math.ceil(seconds / 60)));
  return { status: 429, headers: { 'Retry-After': seconds.toString() }, problems: {}, failure };
};

/** Returns the number of seconds until the visitor can retry, or null if the error is not a rate limit. */
const waitOf = (error: unknown): number | null => {
  if (error instanceof TooMany) return error.seconds;
  if (!(error instanceof HttpError) || error.status !== 429) return null;
  const seconds = Number(error.headers['Retry-After']);
  return Number.isFinite(seconds) ? seconds : 60;
};
