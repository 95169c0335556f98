import { Type, type Static, type TObject } from '@sinclair/typebox';
import { FORM_BODY } from '../../../http/media/body-types.ts';
import { html } from '../../../http/media/media-types.ts';
import { addressLimitKey } from '../../../http/routes/caller.ts';
import type { RouteResponse } from '../../../http/routes/route.ts';
import { route, type Route } from '../../route.ts';
import { belowRoot } from '../page-route.ts';
import { visitorOf, type SiteCall, type Visitor } from '../visit.ts';
import { requireOwnForm } from './same-site.ts';

interface Declaration<B extends TObject> {
  /** path below the page's root, with a single segment: `/access` */
  path: `/${string}`;
  summary: string;
  body: B;
  answer: (visitor: Visitor, body: Static<B>, call: SiteCall) => Promise<RouteResponse> | RouteResponse;
}

/**
 * A form field. Its maximum length exceeds the length of every valid value. Therefore the schema accepts a value that
 * is only too long, and the route can respond with an error message.
 */
export const FIELD = Type.Optional(Type.String({ maxLength: 5_000 }));

/**
 * Declares a form for visitors who are allowed to know that the page exists. Submitting the form does not change the
 * page. The fields may contain secrets. The form is accepted only if it was sent from the page's own site.
 */
export const pageForm = <B extends TObject>({ path, summary, body, answer }: Declaration<B>): Route => {
  const schema: TObject = body;
  return route({
    ...belowRoot(path),
    methods: ['post'],
    summary,
    effect: 'read',
    unrepeatable: true,
    confidential: true,
    accepts: [FORM_BODY],
    body: schema,
    produces: [html()],
    responses: { 303: null },
    handle: async (call) => {
      requireOwnForm(call.sent);
      call.limits.forms(addressLimitKey(call.clientAddress ?? undefined));
      const sent = call as unknown as SiteCall;
      return answer(await visitorOf(sent), sent.body as Static<B>, sent);
    },
  });
};

/** Returns a 303 redirect to the page. The response sets cookies. */
export const backTo = (location: string, cookies: readonly string[]): RouteResponse => ({
  status: 303,
  location,
  headers: { 'Cache-Control': 'no-store' },
  cookies,
});
