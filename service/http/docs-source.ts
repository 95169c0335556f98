import { openApi } from '../../api/openapi/document.ts';
import { v1Routes } from '../../api/v1/index.ts';
import type { OpenApi } from '../../site/docs/openapi.ts';
import type { DocsSource } from '../../site/docs/topics.ts';

/** The declared routes of the API, from which its documentation is generated. */
export const docsSource: DocsSource = {
  tags: [...new Set(v1Routes.map(({ tag }) => tag))],
  document: (tag) => openApi(v1Routes.filter((route) => route.tag === tag)) as unknown as OpenApi,
};
