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
  /** below the page's root, one segment: `/access` */
  path: `/${string}`;
  summary: string;
  body: B;
  answer: (visitor: Visitor, body: Static<B>, call: SiteCall) => Promise<RouteResponse> | RouteResponse;
}

/** A form field, whose limit exceeds that of every valid value. */
export const FIELD = Type.Optional(Type.String({ maxLength: 5_000 }));

/**
 * A form for visitors who may know that the page exists. It writes nothing to the page, may contain secrets, and is
 * accepted from the page's own site only.
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

/** 303 redirect to the page, with cookies. */
export const backTo = (location: string, cookies: readonly string[]): RouteResponse => ({
  status: 303,
  location,
  headers: { 'Cache-Control': 'no-store' },
  cookies,
});
