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
import type { PastReads } from './past/past-reads.ts';
import type { PreviewPage } from './v1/pages/preview.ts';

export { accepted, created, noContent, ok, type RouteResponse, type Method } from '../http/routes/route.ts';

/** The surface of the routes under `/v1`: its permissions, and what handlers receive. */
export interface ApiSurface {
  permission: Permission;
  given: {
    context: CommandContext;
    /** the caller's credentials */
    caller: Credentials;
    /** the scope of the caller's queries */
    scope: Scope;
    /** the read models at a moment in the past */
    past: PastReads;
    artifacts: Pick<Artifacts, 'find' | 'read'>;
    /** when API keys were last used */
    lastUses: Pick<LastUses, 'of'>;
    /** the public URL of a path; without `PUBLIC_URL` the path itself */
    addressOf: (path: string) => string;
    /** renders an invoice as PDF */
    invoiceFile: (content: InvoiceContent) => Promise<Uint8Array>;
    /** renders a statement as PDF */
    statementFile: (statement: Statement) => Promise<Uint8Array>;
    /** renders a draft of an incident */
    previewIncident: PreviewIncident;
    /** the operator's view of the service; null: not available in this process */
    operator: Operator | null;
    /** renders a page with other settings */
    previewPage: PreviewPage;
    /** signs links that work without a key */
    mac: Mac;
    /** event streams with the changes of organizations */
    events: Pick<EventStreams, 'open'>;
    /** checks permissions of the caller; a caller without a key has none */
    may: May;
    /**
     * Shares one computation among concurrent callers (http/shared-work.ts), as long as the named projections, which it
     * reads, have not advanced.
     *
     * @param key identifies the computation within the organization
     */
    share: <T>(
      projections: readonly string[],
      key: unknown,
      signal: AbortSignal,
      work: (signal: AbortSignal) => Promise<T>,
    ) => Promise<T>;
    /** The log positions of the named projections. While the value is the same, so is what is read from them. */
    positions: (projections: readonly string[]) => string;
    /**
     * Caches a list until one of the named projections, which it is read from, advances. The list is shared, so callers
     * must not modify it.
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
