import type { Static, TObject } from '@sinclair/typebox';
import { FORM_BODY } from '../../http/media/body-types.ts';
import { html } from '../../http/media/media-types.ts';
import { addressLimitKey } from '../../http/routes/caller.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import { route, type Route } from '../route.ts';
import { requireOwnForm } from './access/same-site.ts';
import { belowRoot, forVisitor } from './page-route.ts';
import type { PageVisit, SiteCall } from './visit.ts';

interface Declaration<B extends TObject> {
  /** path below the page's root: `/subscribe` */
  path: string;
  summary: string;
  body: B;
  /** @throws NotFound */
  answer: (visit: PageVisit, body: Static<B>, call: SiteCall) => Promise<RouteResponse> | RouteResponse;
}

/**
 * Declares a form that changes data, for visitors with access to a page. The form is accepted only from the page's own
 * site. It may contain personal data.
 */
export const visitorFormRoute = <B extends TObject>({ path, summary, body, answer }: Declaration<B>): Route => {
  const schema: TObject = body;
  return route({
    ...belowRoot(path),
    methods: ['post'],
    summary,
    unrepeatable: true,
    confidential: true,
    accepts: [FORM_BODY],
    body: schema,
    produces: [html()],
    responses: { 303: null },
    handle: (call) => {
      requireOwnForm(call.sent);
      call.limits.forms(addressLimitKey(call.clientAddress ?? undefined));
      const sent = call as unknown as SiteCall;
      return forVisitor(sent, (visit) => answer(visit, sent.body as Static<B>, sent));
    },
  });
};
