import type { PageInput } from '../../../domain/page/decide.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { Scope } from '../../../queries/engine/scope.ts';

/**
 * Renders the start page of a status page with field values that are not saved.
 *
 * @returns HTML without scripts and with inline styles
 */
export type PreviewPage = (scope: Scope, page: PageDocument, fields: PageInput) => Promise<string>;
