import type { PageInput } from '../../../domain/page/decide.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { Scope } from '../../../queries/engine/scope.ts';

/**
 * Renders the root of a page as it would be with other fields.
 *
 * @returns HTML without scripts, with its styles in it
 */
export type PreviewPage = (scope: Scope, page: PageDocument, fields: PageInput) => Promise<string>;
