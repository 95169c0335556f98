import { Type } from '@sinclair/typebox';
import { Conflict, Forbidden, Invalid, TooMany } from '../../../domain/errors.ts';
import { takenModes } from '../../../domain/subscriber/accepted-modes.ts';
import { HttpError } from '../../../http/errors.ts';
import { html } from '../../../http/media/media-types.ts';
import { ok, seeOther, type Answer } from '../../../http/routes/route.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { maskedText } from '../../../queries/pages/recipients.ts';
import { pageHtml } from '../../../views/document.tsx';
import { SubscribedPage } from '../../../views/subscription/subscribed-page.tsx';
import { SubscribePage } from '../../../views/subscription/subscribe-page.tsx';
import type { Route } from '../../route.ts';
import { signUpVisitor } from '../../subscriptions/sign-up.ts';
import { formFrameOf } from '../frame.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { formSecurity } from '../security.ts';
import type { SiteCall } from '../visit.ts';
import { visitorForm } from '../visitor-form.ts';
import { askedIn, inputOf, narrowingOf, problemsOf, SubscribeBody, type Asked } from './form.ts';
import { subscribeView, type Refusal } from './view.ts';

/** A page with the form or its confirmation. No script may run next to an address, and nothing is cached. */
const page = (body: () => string): Answer => ({
  ...ok(body),
  headers: { 'Cache-Control': 'no-store' },
  security: formSecurity(),
});

const Text = Type.Optional(Type.String());

/** The form with which visitors subscribe to a page, some of its components, or one incident. */
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
      const requested: Asked = {
        ...askedIn({ ...(component !== undefined && { component_ids: [component] }) }),
        scope: incident !== undefined ? 'incident' : component !== undefined ? 'components' : null,
        incidentId: incident ?? null,
      };
      const view = await subscribeView(visit, requested, commands.ask(({ signUps }) => signUps).smsCountries);
      return page(() => pageHtml(SubscribePage(view)));
    },
  }),
  visitorForm({
    path: '/subscribe',
    summary: 'Subscribe to a status page',
    body: SubscribeBody,
    answer: async (visit, body, call) => {
      const requested = askedIn(body);
      try {
        return await subscribed(visit, requested, call);
      } catch (error) {
        const refused = refusalOf(error, visit, requested);
        if (!refused) throw error;
        const { status, headers, ...refusal } = refused;
        const { smsCountries } = call.commands.ask(({ signUps }) => signUps);
        const view = await subscribeView(visit, requested, smsCountries, refusal);
        const again = page(() => pageHtml(SubscribePage(view)));
        return { ...again, status, headers: { ...again.headers, ...headers } };
      }
    },
  }),
];

/** @throws Invalid, Forbidden, Conflict, HttpError like {@link signUpVisitor} */
const subscribed = async (visit: PageVisit, requested: Asked, call: SiteCall): Promise<Answer> => {
  const { scope } = visit;
  const { typed, componentIds } = requested;
  const narrowing = narrowingOf({ ...requested, scope: requested.scope ?? 'page' });
  // A page with restricted access offers no modes, since messages can be read by anyone.
  const modes = takenModes(visit.page, narrowing.incident_id === null ? 'page' : 'incident', visit.sentModes);
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
  // The secret is in no URL and is shown once.
  const done = { mode: address.mode, endpoint: maskedText('webhook', address.text), secret };
  return page(() => pageHtml(SubscribedPage({ frame: formFrameOf(visit), done })));
};

interface Refused extends Refusal {
  status: number;
  headers?: Record<string, string>;
}

/** The form's message for an error; null: not a form error. */
const refusalOf = (error: unknown, { choices }: PageVisit, { typed }: Asked): Refused | null => {
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

/** Seconds until a visitor may retry; null: the error is not a rate limit. */
const waitOf = (error: unknown): number | null => {
  if (error instanceof TooMany) return error.seconds;
  if (!(error instanceof HttpError) || error.status !== 429) return null;
  const seconds = Number(error.headers['Retry-After']);
  return Number.isFinite(seconds) ? seconds : 60;
};
