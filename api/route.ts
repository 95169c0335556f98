import type { CommandContext } from '../commands/engine/context.ts';
import type { Commands } from '../commands/index.ts';
import type { InvoiceContent } from '../domain/payment/invoice-content.ts';
import type { Statement } from '../domain/statement/content.ts';
import type { Mac } from '../domain/signed-token.ts';
import type { Credentials } from '../http/routes/caller.ts';
import { createRoute, type Call as CallOf, type Route as RouteOf } from '../http/routes/route.ts';
import type { Scope } from '../queries/engine/scope.ts';
import type { Artifacts } from '../stores/artifacts/port.ts';
import type { LastUses } from './last-uses.ts';
import type { May, Permission } from './permissions.ts';
import type { Operator } from './v1/operator/operator.ts';
import type { PreviewIncident } from './v1/incidents/preview.ts';
import type { EventStreams } from './v1/events/streams.ts';
import type { PastReads } from '../projections/past/past-reads.ts';
import type { PreviewPage } from './v1/pages/preview.ts';

export { accepted, created, noContent, ok, type RouteResponse, type Method } from '../http/routes/route.ts';

/** Types for the routes under `/v1`: their permissions, and what their handlers receive. */
export interface ApiSurface {
  permission: Permission;
  given: {
    context: CommandContext;
    /** the caller's credentials */
    caller: Credentials;
    /** The organization whose data the caller's queries read, and the read models. */
    scope: Scope;
    /** the read models at a moment in the past */
    past: PastReads;
    artifacts: Pick<Artifacts, 'find' | 'read'>;
    /** when API keys were last used */
    lastUses: Pick<LastUses, 'of'>;
    /** Returns the public URL of a path, or the path itself if `PUBLIC_URL` is not configured. */
    addressOf: (path: string) => string;
    /** renders an invoice as PDF */
    invoiceFile: (content: InvoiceContent) => Promise<Uint8Array>;
    /** renders a statement as PDF */
    statementFile: (statement: Statement) => Promise<Uint8Array>;
    /** renders a draft of an incident */
    previewIncident: PreviewIncident;
    /** The operator's view of the service. Null if this process does not provide it. */
    operator: Operator | null;
    /** Renders a page with settings that are not saved. */
    previewPage: PreviewPage;
    /** signs links that work without a key */
    mac: Mac;
    /** Opens event streams that send the changes of an organization. */
    events: Pick<EventStreams, 'open'>;
    /** Tests whether the caller has a permission. A caller without a key has none. */
    may: May;
    /**
     * Shares one computation among concurrent callers (http/shared-work.ts). A computation is no longer shared after
     * one of the projections that it reads has advanced, so all of these projections must be named.
     *
     * @param key identifies the computation within the organization
     */
    share: <T>(
      projections: readonly string[],
      key: unknown,
      signal: AbortSignal,
      work: (signal: AbortSignal) => Promise<T>,
    ) => Promise<T>;
    /**
     * Returns the log positions of projections as text. As long as the text stays the same, the documents of the
     * projections stay the same.
     */
    positions: (projections: readonly string[]) => string;
    /**
     * Caches a list until one of the named projections advances. Name all projections that the list is read from.
     * Callers share the list and must not modify it.
     *
     * @param key identifies the list within the organization
     */
    remember: <T>(
      projections: readonly string[],
      key: string,
      work: () => Promise<readonly T[]>,
    ) => Promise<readonly T[]>;
  };
  writing: { commands: Commands };
}

export type Route = RouteOf<ApiSurface>;
export type Call<P, Q, B> = CallOf<ApiSurface, P, Q, B>;

export const route = createRoute<ApiSurface>();
