import type { CommandContext } from '../commands/engine/context.ts';
import type { Commands } from '../commands/index.ts';
import type { InvoiceContent } from '../domain/payment/invoice-content.ts';
import type { Mac } from '../domain/signed-token.ts';
import type { Credentials } from '../http/routes/caller.ts';
import { declaring, type Call as CallOf, type Route as RouteOf } from '../http/routes/route.ts';
import type { Scope } from '../queries/engine/scope.ts';
import type { Artifacts } from '../stores/artifacts/port.ts';
import type { LastUses } from './last-uses.ts';
import type { May, Permission } from './permissions.ts';
import type { Operator } from './v1/operator/operator.ts';
import type { PreviewIncident } from './v1/incidents/previews.ts';
import type { EventStreams } from './v1/events/streams.ts';
import type { PreviewPage } from './v1/pages/preview.ts';

export { accepted, created, noContent, ok, type Answer, type Method } from '../http/routes/route.ts';

/** The routes under `/v1`: which permissions they may need, and what their handlers get. */
export interface Api {
  permission: Permission;
  given: {
    context: CommandContext;
    /** the credentials that the caller has shown */
    caller: Credentials;
    /** the scope of the caller's queries */
    scope: Scope;
    artifacts: Pick<Artifacts, 'find' | 'read'>;
    /** when API keys were last used */
    lastUses: Pick<LastUses, 'of'>;
    /** the address of a path on this service as others reach it; without `PUBLIC_URL` the path itself */
    addressOf: (path: string) => string;
    /** the file of an invoice, a PDF */
    invoiceFile: (content: InvoiceContent) => Promise<Uint8Array>;
    /** shows what a draft of an incident would look like */
    previewIncident: PreviewIncident;
    /** the service as its operator sees it; null: this process does not show it */
    operator: Operator | null;
    /** shows what a page would look like */
    previewPage: PreviewPage;
    /** signs links that open without a key */
    mac: Mac;
    /** streams of what changes in organizations */
    events: Pick<EventStreams, 'open'>;
    /** what the caller may do; nothing without a key */
    may: May;
    /**
     * Computes the same once for callers who ask for it at the same time (http/shared-work.ts), as long as the
     * projections that it reads, by name, have not gone on.
     *
     * @param key names what is computed, within the organization
     */
    share: <T>(
      projections: readonly string[],
      key: unknown,
      signal: AbortSignal,
      work: (signal: AbortSignal) => Promise<T>,
    ) => Promise<T>;
    /** How far projections, by name, have folded their logs: what is read from them is the same while this is. */
    positions: (projections: readonly string[]) => string;
    /**
     * Makes a list, or gives the one that was made last, if the projections that it is read from, by name, have not gone
     * on since. Callers share it, so nobody may change it.
     *
     * @param key names the list, within the organization
     */
    remember: <T>(
      projections: readonly string[],
      key: string,
      work: () => Promise<readonly T[]>,
    ) => Promise<readonly T[]>;
  };
  writing: { commands: Commands };
}

export type Route = RouteOf<Api>;
export type Call<P, Q, B> = CallOf<Api, P, Q, B>;

export const route = declaring<Api>();
